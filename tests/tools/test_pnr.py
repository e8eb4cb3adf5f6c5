# SPDX-License-Identifier: Apache-2.0
"""Place and route with one seed after another: routed seeds, abandoned ones, and the result when none meets the clock.

The tool is a stand-in that prints nextpnr's lines, as PLAN has them for its seed."""

import contextlib
import io
import json
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "scripts"))

import pnr  # noqa: E402  pylint: disable=wrong-import-position

TOOL = """
import json, sys, time
plan = json.load(open('plan.json'))[sys.argv[sys.argv.index('--seed') + 1]]
with open('calls', 'a') as calls: print(*sys.argv[1:], file=calls)
if plan.get('status'): sys.exit(plan['status'])
print('Info: iter=5000 steplen=1.0 a=1.0', flush=True)
print("Info: Max frequency for clock '$glbnet$clk': %.2f MHz (FAIL at 40.00 MHz)" % plan['mhz'], flush=True)
print('Info: %d |  200   800 |  200   800 |  9|  1.00   9.00|' % plan['arcs'], flush=True)
if plan.get('hangs'): time.sleep(3)
if plan.get('complete'): print('Info: Routing complete.', flush=True)
while time.process_time() < plan.get('works', 0): pass
print("Info: Max frequency for clock '$glbnet$clk': %.2f MHz (PASS at 40.00 MHz)" % plan.get('routed', 40))
"""

# One of several steps, named by its first word; `fails` names one that ends with the status.
STEP = """
import json, sys, time
step = sys.argv[1]
plan = json.load(open('plan.json'))[sys.argv[sys.argv.index('--seed') + 1]]
with open('calls', 'a') as calls: print(*sys.argv[1:], file=calls)
if plan.get('fails') == step: sys.exit(plan['status'])
if step == 'place': print("Info: Max frequency for clock '$glbnet$clk': %.2f MHz (FAIL at 40.00 MHz)" % plan['mhz'])
if step == 'refine':
    print('  50 rounds: 39.00 MHz expected, 5 tiles of wire, 1 of 2 moves kept')
    print('refined: %.2f MHz expected, before %.2f; 4 tiles of wire, before 6' % (plan['refined'], plan['mhz']))
if step == 'route':
    print('Info:  %d |  200   800 |  200   800 |    9|     0.50     5.00|' % plan.get('arcs', 9), flush=True)
    if plan.get('hangs'): time.sleep(3)
    print("Info: Max frequency for clock '$glbnet$clk': %.2f MHz (PASS at 40.00 MHz)" % plan.get('routed', 40))
"""


class Search(unittest.TestCase):
    def setUp(self):
        pnr.LOOK = 0.02
        self.done = []
        self.folder = tempfile.TemporaryDirectory()  # pylint: disable=consider-using-with
        self.addCleanup(self.folder.cleanup)
        self.path = pathlib.Path(self.folder.name)
        (self.path / "tool.py").write_text(TOOL, encoding="utf-8")
        (self.path / "step.py").write_text(STEP, encoding="utf-8")

    def search(self, plan, seeds, goal=40, steps=((sys.executable, "tool.py", "--seed", pnr.SEED),)):
        (self.path / "plan.json").write_text(json.dumps(plan), encoding="utf-8")
        (self.path / "calls").write_text("", encoding="utf-8")
        with contextlib.redirect_stdout(io.StringIO()) as said:
            found = pnr.search(steps, seeds, self.path / "log", self.path, goal, self.done.append)
        return found, (self.path / "calls").read_text(encoding="utf-8").split("\n")[:-1], said.getvalue()

    def test_the_first_that_is_routed(self):
        found, calls, said = self.search({"1": {"mhz": 36, "arcs": 100}}, [1, 2])
        self.assertEqual((found, calls, said), ((1, 0), ["--seed 1"], ""))

    def test_a_slow_placement_is_not_routed(self):
        plan = {"1": {"mhz": 33, "arcs": 0, "hangs": True}, "2": {"mhz": 36, "arcs": 9}}
        found, calls, said = self.search(plan, [1, 2])
        self.assertEqual((found, calls), ((2, 0), ["--seed 1", "--seed 2"]))
        self.assertIn("seed 1: 33.0 MHz expected, not routed", said)

    def test_a_route_without_an_end_is_given_up(self):
        plan = {"1": {"mhz": 36, "arcs": pnr.ARCS + 1, "hangs": True}, "2": {"mhz": 35, "arcs": 9}}
        found, _, said = self.search(plan, [1, 2])
        self.assertEqual(found, (2, 0))
        self.assertIn("seed 1: 36.0 MHz expected, the router fights over wires", said)

    def test_a_router_that_fights_is_given_up(self):
        """It is by its processor time since its last line, and while it routes."""
        self.addCleanup(setattr, pnr, "PATIENCE", pnr.PATIENCE)
        pnr.PATIENCE = 0.5
        plan = {"1": {"mhz": 36, "arcs": 9, "works": 30}, "2": {"mhz": 35, "arcs": 9}}
        found, _, said = self.search(plan, [1, 2])
        self.assertEqual(found, (2, 0))
        self.assertIn("seed 1: 36.0 MHz expected, the router fights over wires", said)
        for waits in {"hangs": True}, {"works": 2, "complete": True}:
            plan["1"] = {"mhz": 36, "arcs": pnr.ARCS, **waits}
            self.assertEqual(self.search(plan, [1, 2])[0], (1, 0), waits)

    def test_what_is_routed_must_meet_the_clock(self):
        plan = {"1": {"mhz": 36, "arcs": 9, "routed": 39.95}, "2": {"mhz": 35, "arcs": 9, "routed": 40.01}}
        found, _, said = self.search(plan, [1, 2])
        self.assertEqual(found, (2, 0))
        self.assertIn("seed 1: 36.0 MHz expected, 39.95 routed", said)

    def test_without_a_good_one_the_best_that_was_routed(self):
        plan = {"1": {"mhz": 36, "arcs": 9, "routed": 39}, "2": {"mhz": 35, "arcs": 9, "routed": 39.5},
                "3": {"mhz": 33, "arcs": 0, "hangs": True}}
        found, calls, said = self.search(plan, [1, 2, 3])
        self.assertEqual((found, calls[-1]), ((2, 0), "--seed 2"))
        self.assertIn("no seed meets 40 MHz; the best of them is 2", said)
        self.assertEqual(self.done, [1, 2, 2])

    def test_without_a_good_one_the_best_as_it_comes(self):
        plan = {"1": {"mhz": 30, "arcs": 0, "hangs": True}, "2": {"mhz": 33, "arcs": 0, "hangs": True},
                "3": {"mhz": 31, "arcs": 0, "hangs": True}}
        found, calls, said = self.search(plan, [1, 2, 3])
        self.assertEqual((found, calls[-1]), ((2, 0), "--seed 2"))
        self.assertIn("no seed meets 40 MHz", said)

    def test_a_seed_that_was_asked_for_is_routed(self):
        found, calls, _ = self.search({"7": {"mhz": 30, "arcs": 20, "routed": 38}}, [7])
        self.assertEqual((found, calls), ((7, 0), ["--seed 7"]))

    def test_it_may_take_its_time(self):
        found, calls, said = self.search({"7": {"mhz": 36, "arcs": pnr.ARCS + 1, "works": 0.3}}, [7])
        self.assertEqual((found, calls, said, self.done), ((7, 0), ["--seed 7"], "", [7]))

    def test_without_a_goal_nothing_is_looked_for(self):
        found, calls, _ = self.search({"1": {"mhz": 10, "arcs": 999}}, [1, 2], goal=None)
        self.assertEqual((found, calls), ((1, 0), ["--seed 1"]))

    def test_an_error_is_no_reason_to_go_on(self):
        found, calls, _ = self.search({"1": {"status": 3}}, [1, 2])
        self.assertEqual((found, len(calls), self.done), ((1, 3), 1, []))

    def in_steps(self, plan, seeds, goal=40):
        steps = [[sys.executable, "step.py", step, "--seed", pnr.SEED] for step in ("place", "refine", "route")]
        return self.search(plan, seeds, goal, steps)

    def test_the_seed_is_for_each_step(self):
        found, calls, said = self.in_steps({"4": {"mhz": 35, "refined": 38}}, [4, 5])
        self.assertEqual((found, calls, said),
                         ((4, 0), ["place --seed 4", "refine --seed 4", "route --seed 4"], ""))
        log = (self.path / "log").read_text(encoding="utf-8")
        self.assertEqual(pnr.clocks(log), [35, 40])  # one log of all steps, in their order
        self.assertEqual(pnr.expected(log), 38)
        found, calls, _ = self.in_steps({"4": {"mhz": 3, "refined": 3}}, [4, 5], goal=None)
        self.assertEqual((found, calls), ((4, 0), ["place --seed 4", "refine --seed 4", "route --seed 4"]))

    def test_what_is_expected_is_of_the_refined_placement(self):
        plan = {"1": {"mhz": 36, "refined": 33, "hangs": True}, "2": {"mhz": 30, "refined": 34}}
        found, calls, said = self.in_steps(plan, [1, 2])
        self.assertEqual(found, (2, 0))
        self.assertEqual(calls[-3:], ["place --seed 2", "refine --seed 2", "route --seed 2"])
        self.assertEqual(said, "  seed 1: 33.0 MHz expected, not routed\n")

    def test_the_best_refined_one_as_it_comes(self):
        plan = {"1": {"mhz": 33, "refined": 32, "hangs": True}, "2": {"mhz": 30, "refined": 33, "hangs": True}}
        found, calls, _ = self.in_steps(plan, [1, 2])
        self.assertEqual((found, calls[-3:]), ((2, 0), ["place --seed 2", "refine --seed 2", "route --seed 2"]))

    def test_arcs_are_of_the_routes(self):
        plan = {"1": {"mhz": 33, "refined": 35, "arcs": pnr.ARCS + 1, "hangs": True}, "2": {"mhz": 33, "refined": 34}}
        found, _, said = self.in_steps(plan, [1, 2])
        self.assertEqual(found, (2, 0))
        self.assertIn("seed 1: 35.0 MHz expected, the router fights over wires", said)

    def test_a_step_that_fails_is_the_last(self):
        for goal in 40, None:
            for n, step in enumerate(("place", "refine", "route"), 1):
                plan = {"1": {"mhz": 36, "refined": 37, "fails": step, "status": 4 + n}}
                found, calls, said = self.in_steps(plan, [1, 2], goal)
                self.assertEqual((found, len(calls), said), ((1, 4 + n), n, ""), step)


if __name__ == "__main__":
    unittest.main()
