/* SPDX-License-Identifier: Apache-2.0 */
/* How the run went: samples by function, and what became of them, over time. */

const SAMPLES_A_STEP = 25 // with fewer, steps show chance more than the run

/** Steps of the timeline of which each has enough samples: how many, and parts of the data in one */
function stepsOf(run) {
  const {bins} = run.timeline
  const together = Math.min(Math.ceil(bins / 20), Math.max(1, Math.ceil(SAMPLES_A_STEP * bins / Math.max(1, run.all.samples))))
  return {together, n: Math.ceil(bins / together)}
}

function filled(list, steps) {
  const sums = new Array(steps.n).fill(0)
  list.forEach((value, bin) => { sums[Math.floor(bin / steps.together)] += value })
  return sums
}

function timeAxis(run) {
  return axis({values: (_, ticks) => ticks.map(tick => asTime(tick * run.timeClock, run))})
}

/** Sums from the first function on, so that areas lie on each other */
function stacked(lists) {
  const sums = []
  lists.forEach((list, index) => sums.push(index ? list.map((value, bin) => value + sums[index - 1][bin]) : list))
  return sums
}

function byFunction(place, run, steps, times, range) {
  const {samples, functions} = run.timeline
  const all = filled(samples, steps)
  const lists = functions.map(([, list]) => filled(list, steps))
  const rest = all.map((value, bin) => value - lists.reduce((sum, list) => sum + list[bin], 0))
  const names = functions.map(([name]) => profile.names[name])
  if (rest.some(value => value > 0)) {
    lists.push(rest)
    names.push("others")
  }
  const sums = stacked(lists)
  const order = sums.map((_, index) => sums.length - 1 - index) // the highest is drawn first
  addChart(place, "Samples by function", {
    axes: [timeAxis(run), axis({size: 46})],
    scales: {x: {time: false}, y: fromZero},
    series: [{label: "time", value: (_, value) => value === null ? "" : asTime(value * run.timeClock, run)},
      ...order.map(index => ({label: names[index], stroke: colour(index), fill: colour(index), width: 0, points: {show: false},
        paths: uPlot.paths.stepped({align: 1}),
        value: (_, value, series, bin) => bin === null ? "" : asCount(lists[index][bin])}))]
  }, [times, ...order.map(index => sums[index])], range)
}

function line(label, index, text) {
  return {label, stroke: colour(index), width: 1.5, spanGaps: true, points: {show: false},
    value: (_, value) => value === null || value === undefined ? "" : text(value)}
}

function meansOverTime(place, run, steps, times, range) {
  const of = name => filled(run.timeline[name], steps)
  const samples = of("samples"), memory = of("memory")
  const each = (name, by, scale) => of(name).map((value, bin) => by[bin] ? scale * value / by[bin] : null)
  const x = {label: "time", value: (_, value) => value === null ? "" : asTime(value * run.timeClock, run)}
  addChart(place, "Mean cycles of a sample", {axes: [timeAxis(run), axis({size: 46})], scales: {x: {time: false}, y: fromZero},
    series: [x, line("selection to end", 0, asMean), line("as the oldest", 1, asMean)]},
  [times, each("total", samples, 1), each("oldest", samples, 1)], range)
  const percents = axis({size: 54, values: (_, ticks) => ticks.map(tick => tick + " %")})
  addChart(place, "Misses and mispredictions", {axes: [timeAxis(run), percents],
    scales: {x: {time: false}, y: fromZero},
    series: [x, line("L1D misses, of accesses", 2, asShare), line("mispredicted, of samples", 6, asShare)]},
  [times, each("misses", memory, 100), each("mispredicted", samples, 100)], range)
}

function showTimeline(view) {
  if (runNow().exact) {
    view.append(make("p", {className: "note"}, "Every cycle is known by its instruction, not by its time."))
    return
  }
  const run = runNow(), steps = stepsOf(run), width = run.timeline.width * steps.together
  const times = Array.from({length: steps.n}, (_, step) => step * width / run.timeClock)
  const range = [times[0], times[steps.n - 1]]
  const place = make("div", {className: "plots"})
  view.append(make("p", {className: "note"}, `From the first sample; a step is ${asTime(width, run)}. `
    + "Drag or + and - zoom, arrows move, 0 or a double click shows all."), place)
  byFunction(place, run, steps, times, range)
  if (!run.events) meansOverTime(place, run, steps, times, range)
}
