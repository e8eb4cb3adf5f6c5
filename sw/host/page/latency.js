/* SPDX-License-Identifier: Apache-2.0 */
/* How latencies are distributed: of all samples, a function or an instruction. */

const latencyView = {of: "all"}
const latencyMeanings = ["selection to dispatch", "dispatch to issue", "issue to completion",
  "becoming the oldest to retirement", "selection to end"]

const bucketName = index => index === 0 ? "0" : index === 1 ? "1" : `${2 ** (index - 1)}\u2013${2 ** index - 1}`

/** The bucket that holds the middle, and that of 99 of 100 */
function atMost(histogram, part) {
  let sum = 0
  for (let index = 0; index < histogram.buckets.length; index++) {
    sum += histogram.buckets[index]
    if (sum >= part * histogram.n) return 2 ** index - 1
  }
  return 0
}

function aboutHistogram(h) {
  if (!h.n) return "none"
  const longest = h.max + (h.max === 4095 ? " or more" : "")
  return `mean ${asMean(mean(h))}, half at most ${atMost(h, 0.5)}, 99 % at most ${atMost(h, 0.99)}, longest ${longest}`
}

function histogramChart(place, index, runs) {
  const buckets = Array.from({length: 13}, (_, bucket) => bucket)
  const histograms = runs.map(({counts}) => counts.latency[index])
  if (!histograms.some(histogram => histogram.n)) return
  const texts = histograms.map(aboutHistogram)
  const shares = histograms.map(h => buckets.map(bucket => percent(h.buckets[bucket] || 0, h.n)))
  const chart = addChart(place, `${profile.latencyNames[index]}: ${latencyMeanings[index]}`, {
    height: 200,
    axes: [axis({splits: () => buckets, values: () => buckets.map(bucket => bucket ? 2 ** (bucket - 1) : 0), space: 1}),
      axis({size: 50, values: (_, ticks) => ticks.map(tick => tick + " %")})],
    scales: {x: {time: false, range: [-0.7, 12.7]}, y: fromZero},
    series: [{label: "cycles", value: (_, value) => value === null ? "" : bucketName(value)},
      ...runs.map(({title}, k) => ({label: title, stroke: colour(k), fill: k ? undefined : colour(k) + "66", width: k ? 2 : 1,
        paths: uPlot.paths.bars({size: k ? [0.5, 30] : [0.9, 60]}), points: {show: false},
        value: (_, value) => value === null || value === undefined ? "" : asShare(value)}))]
  }, [buckets, ...shares])
  chart.root.parentElement.before(make("p", {className: "note"}, texts.join("; other run: ")))
}

/** The counts of what is chosen, in this run */
function countsOf(run, key) {
  if (key === "all") return run.all
  const kind = key.slice(0, key.indexOf(" ")), name = key.slice(kind.length + 1)
  const row = run[kind].find(each => each.name === name)
  return row ? row.counts : emptyCounts()
}

function showLatency(view) {
  const run = runNow(), other = otherRun()
  if (run.events) {
    view.append(make("p", {className: "note"}, "Overflows of a counter have no latencies: choose a run of instructions."))
    return
  }
  const options = [["all", "all samples"]]
  for (const row of run.functions.filter(row => matches(row.name)).slice(0, 60)) options.push(["functions " + row.name, row.name])
  for (const row of run.instructions.filter(row => matches(row.name)).slice(0, 60)) options.push(["instructions " + row.name, row.name])
  if (!options.some(([key]) => key === latencyView.of)) latencyView.of = "all"
  const place = make("div", {className: "plots"})
  const runs = [{title: "this run", counts: countsOf(run, latencyView.of)}]
  if (other && !other.events) runs.push({title: "other run", counts: countsOf(other, latencyView.of)})
  view.append(make("div", {className: "bar"}, make("label", {}, "Of ", select("latency-of", options, latencyView.of, value => {
    latencyView.of = value
    show()
  })), make("span", {className: "note"}, `${asCount(runs[0].counts.samples)} samples; a record's latency ends at 4095 cycles`)), place)
  profile.latencyNames.forEach((_, index) => histogramChart(place, index, runs))
}
