/* SPDX-License-Identifier: Apache-2.0 */
/* The samples, their error by chance, and the hottest functions. */

const card = (value, text) => make("div", {className: "card"}, make("b", {}, value), make("span", {}, text))

function evidence(run) {
  const n = run.all.samples
  if (run.exact) return [card(asCount(n), "cycles, every one of the run"), card("\u00b1 0", "error by chance: nothing is sampled"),
    card(run.modes, "modes that ran")]
  const cards = [card(asCount(n), run.events ? "samples of a counter's overflows" : "samples of instructions")]
  if (run.period) cards.push(card("1 of " + asCount(run.period), run.events ? "events" : "decoded instructions"))
  if (run.period) cards.push(card("\u2248 " + asCount(n * run.period), run.events ? "events in all" : "decoded instructions in all"))
  cards.push(card(asCount(run.lost), "samples lost, the log was full"))
  cards.push(card("\u00b1 " + hundredth.format(errorBound(n / 2, n)) + " points", "error of a share of 50 % by chance, at most (95 %)"))
  cards.push(card("\u00b1 " + hundredth.format(errorBound(n / 100, n)) + " points", "error of a share of 1 % by chance (95 %)"))
  if (run.modes) cards.push(card(run.modes, "modes that were sampled"))
  cards.push(card(asTime(run.newest - run.oldest, run), "from the first to the last sample"))
  return cards
}

function totals(run) {
  const {all} = run
  const share = (part, of) => `${asCount(part)} of ${asCount(of)} (${asShare(percent(part, of))})`
  const rows = run.typeNames || profile.typeNames
  const table = make("table", {id: "totals"})
  const line = (name, value) => table.append(make("tr", {}, make("td", {className: "name"}, name), make("td", {}, value)))
  rows.forEach((name, index) => line(name, share(run.types[index] || 0, all.samples)))
  line("flushed", share(all.flushed, all.samples))
  profile.flushNames.forEach((name, index) => {
    if (run.flushes[index]) line("flushed: " + name, share(run.flushes[index], all.flushed))
  })
  line("mispredicted control transfers", share(all.mispredicted, all.transfers))
  profile.missNames.forEach((name, index) => {
    line(name + " misses", share(all.miss[index] || 0, index < 2 ? all.samples : all.memory))
  })
  profile.latencyNames.forEach((name, index) => line(`mean cycles: ${name}`, asMean(mean(all.latency[index])) || "none"))
  return table
}

function hottest(run) {
  const table = make("table", {}, make("thead", {}, make("tr", {}, make("th", {}, "share"), make("th", {}, "by chance"),
    make("th", {className: "name"}, "function"))))
  for (const row of run.functions.slice(0, 10))
    table.append(make("tr", {}, make("td", {}, asShare(percent(row.counts.samples, run.all.samples))),
      make("td", {}, "\u00b1 " + hundredth.format(chanceOf(run, row.counts.samples, run.all.samples))),
      make("td", {className: "name"}, row.name)))
  return table
}

/** Top-down: what became of the slots of dispatch in the counted run */
function slotsOf(run) {
  const [all, ...parts] = [0, 1, 2, 3, 4].map(index => run.slots[index] || 0)
  const flushed = all - parts.reduce((sum, part) => sum + part, 0)
  const table = make("table", {id: "slots"})
  const names = ["retiring", "front end: nothing to dispatch", "back end: takes none", "bad speculation: recovering",
    "bad speculation: flushed later"]
  for (const [index, part] of [...parts, flushed].entries()) {
    const bar = make("div", {className: "slot"})
    bar.style.width = `${2 * percent(part, all)}px`
    table.append(make("tr", {}, make("td", {}, asShare(percent(part, all))), make("td", {}, asCount(part)),
      make("td", {}, bar), make("td", {className: "name"}, names[index])))
  }
  return [make("h2", {}, "Top-down slots"), make("div", {className: "scroll"}, table)]
}

function summaryOf(run) {
  const part = make("section", {}, make("h2", {}, run.title), make("p", {className: "note"},
    `${run.program}, RV${run.xlen}; core ${hundredth.format(run.coreClock / 1e6)} MHz, time ${hundredth.format(run.timeClock / 1e6)} MHz`))
  if (run.lostText) part.append(make("p", {className: "warn"}, make("strong", {}, `Incomplete: ${run.lostText}.`)))
  if (run.leftOut) part.append(make("p", {className: "note"}, run.leftOut + "."))
  part.append(make("div", {className: "cards"}, ...evidence(run)))
  part.append(make("h2", {}, "Hottest functions"), make("div", {className: "scroll"}, hottest(run)))
  if (run.slots) part.append(...slotsOf(run))
  if (run.exact) part.append(make("p", {className: "note"},
    "Each cycle is at the instruction that retired in it, or that it waited for; halted cycles are left out."))
  else if (run.interrupted) part.append(make("p", {className: "note"},
    "Each sample is where the interrupt came, as without precise attribution: some instructions behind its cause."))
  else if (run.events) part.append(make("p", {className: "note"}, "Each sample is at the instruction that caused the overflow (Sspesa)."))
  else part.append(make("h2", {}, "All samples"), make("div", {className: "scroll"}, totals(run)))
  return part
}

function showSummary(view) {
  view.append(summaryOf(runNow()))
  if (otherRun()) view.append(summaryOf(otherRun()))
}
