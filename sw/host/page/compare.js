/* SPDX-License-Identifier: Apache-2.0 */
/* Two runs: what has which share before and after, and whether chance can be the reason. */

const compareView = {rows: "functions", sort: {sort: "size", descending: true, shown: 200}}

/** Rows of both runs by name: before is the other run. */
function changesOf(before, after, kind) {
  const rows = new Map()
  const keyOf = row => kind === "instructions" ? row.name.slice(row.name.indexOf(" ")) : row.name
  const add = (list, side) => {
    for (const row of list) {
      const key = keyOf(row)
      if (!rows.has(key))
        rows.set(key, {name: key.trim(), before: emptyCounts(), after: emptyCounts(), counts: {samples: 0}})
      addCounts(rows.get(key)[side], row.counts)
      rows.get(key).counts.samples += row.counts.samples
    }
  }
  add(before[kind], "before")
  add(after[kind], "after")
  return [...rows.values()]
}

function compareColumns(before, after) {
  const n1 = before.all.samples, n2 = after.all.samples
  const shares = row => [percent(row.before.samples, n1), percent(row.after.samples, n2)]
  const change = row => shares(row)[1] - shares(row)[0]
  const bound = row => changeBound(row.before.samples, n1, row.after.samples, n2)
  const sure = row => Math.abs(change(row)) > bound(row)
  const columns = [
    {id: "before", head: "before", title: "share of the other run", of: row => shares(row)[0], text: asShare},
    {id: "after", head: "after", title: "share of this run", of: row => shares(row)[1], text: asShare},
    {id: "change", head: "change", title: "in points", of: change, text: asChange,
      className: row => !sure(row) ? "" : change(row) > 0 ? "less" : "more"},
    {id: "size", head: "size", title: "of the change, either way", of: row => Math.abs(change(row)),
      text: value => hundredth.format(value)},
    {id: "chance", head: "by chance", title: "what 95 of 100 changes by chance stay below", of: bound,
      text: value => "\u00b1 " + hundredth.format(value)},
    {id: "sure", head: "more than chance", title: "the change is larger", of: row => sure(row) ? 1 : 0, text: value => value ? "yes" : ""}]
  if (before.events) return [...columns, nameColumn]
  return [...columns,
    {id: "stall1", head: "stall before", title: "of the cycles as the oldest", text: asShare,
      of: row => percent(row.before.latency[3].sum, before.all.latency[3].sum)},
    {id: "stall2", head: "stall after", title: "of the cycles as the oldest", text: asShare,
      of: row => percent(row.after.latency[3].sum, after.all.latency[3].sum)},
    {id: "total1", head: "total before", title: "mean cycles from selection to end", of: row => mean(row.before.latency[4]), text: asMean},
    {id: "total2", head: "total after", title: "mean cycles from selection to end", of: row => mean(row.after.latency[4]), text: asMean},
    nameColumn]
}

function showCompare(view) {
  const after = runNow(), before = otherRun()
  if (!before) {
    view.append(make("p", {className: "note"}, profile.runs.length > 1 ? "Choose the run to compare with, above."
      : "There is one run in this page. tally-profile --diff --html makes a page of two."))
    return
  }
  if (before.events !== after.events)
    view.append(make("p", {className: "warn"},
      "One run is of a counter's overflows, the other of instructions: their shares are not of the same thing."))
  if (before.pair === after.pair && before.events && after.events)
    view.append(make("p", {className: "note"},
      "The same overflows, once at their causes and once where their interrupts came: nothing of this is chance."))
  const place = make("div", {id: "changes"})
  const again = () => {
    const rows = changesOf(before, after, compareView.rows).filter(row => matches(row.name))
    place.replaceChildren(sortedTable(rows, compareColumns(before, after), compareView.sort, again))
  }
  const said = run => `${run.title}, ${asCount(run.all.samples)} samples`
  view.append(make("p", {}, `Before: ${said(before)}. After: ${said(after)}.`),
    make("div", {className: "bar"}, make("label", {}, "Rows ", select("compare-rows", [["functions", "functions"], ["lines", "lines"],
      ["instructions", "instructions"]], compareView.rows, value => { compareView.rows = value; again() })),
    make("button", {id: "swap", onclick: () => { [chosen.run, chosen.other] = [chosen.other, chosen.run]; show() }}, "Swap")), place)
  again()
}
