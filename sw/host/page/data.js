/* SPDX-License-Identifier: Apache-2.0 */
/* The profiles, from the JSON that the page carries (sw/host/page_data.c). */

/** The names of the lists of the data, and its runs; filled by loadData(). */
const profile = {runs: [], pairs: [], files: new Map(), names: []}

async function unpack(text) {
  const bytes = Uint8Array.from(atob(text.trim()), letter => letter.charCodeAt(0))
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
  return JSON.parse(await new Response(stream).text())
}

const emptyHistogram = () => ({n: 0, sum: 0, max: 0, buckets: []})

function emptyCounts() {
  return {samples: 0, flushed: 0, latency: [0, 1, 2, 3, 4].map(emptyHistogram), miss: [], memory: 0, source: [],
    transfers: 0, mispredicted: 0, transfer: []}
}

function readCounts(list) {
  const counts = emptyCounts()
  counts.samples = list[0]
  if (list.length === 1) return counts
  counts.flushed = list[1]
  counts.latency = list[2].map(h => h ? {n: h[0], sum: h[1] || 0, max: h[2] || 0, buckets: h.slice(3)} : emptyHistogram())
  ;[counts.miss, counts.memory, counts.source, counts.transfers, counts.mispredicted, counts.transfer] = list.slice(3)
  return counts
}

function addList(to, from) {
  from.forEach((value, index) => { to[index] = (to[index] || 0) + value })
}

function addCounts(to, from) {
  for (const name of ["samples", "flushed", "memory", "transfers", "mispredicted"]) to[name] += from[name]
  for (const name of ["miss", "source", "transfer"]) addList(to[name], from[name])
  from.latency.forEach((h, index) => {
    const sum = to.latency[index]
    sum.n += h.n
    sum.sum += h.sum
    sum.max = Math.max(sum.max, h.max)
    addList(sum.buckets, h.buckets)
  })
}

/** Sums of the spots by key; each has the name and place of its first spot. */
function sumBy(spots, keyOf, nameOf) {
  const rows = new Map()
  for (const spot of spots) {
    const key = keyOf(spot)
    if (!rows.has(key)) rows.set(key, {key, name: nameOf(spot), spot, counts: emptyCounts()})
    addCounts(rows.get(key).counts, spot.counts)
  }
  return [...rows.values()].sort((a, b) => b.counts.samples - a.counts.samples || (a.name < b.name ? -1 : 1))
}

function readSpot([pc, list, counts]) {
  const frames = []
  for (let i = 0; i < list.length; i += 3)
    frames.push({name: profile.names[list[i]], file: profile.names[list[i + 1]], line: list[i + 2]})
  return {pc: BigInt("0x" + pc), frames, counts: readCounts(counts)}
}

const lineName = spot => `${shortName(spot.frames[0].file)}:${spot.frames[0].line}`
const pcName = spot => "0x" + spot.pc.toString(16)

function readRun(run) {
  run.all = readCounts(run.all)
  run.spots = run.spots.map(readSpot)
  run.byPc = new Map(run.spots.map(spot => [spot.pc, spot]))
  run.functions = sumBy(run.spots, spot => spot.frames[0].name, spot => spot.frames[0].name)
  run.lines = sumBy(run.spots, spot => spot.frames[0].file + ":" + spot.frames[0].line, lineName)
  run.instructions = sumBy(run.spots, spot => spot.pc, spot => `${pcName(spot)} ${spot.frames[0].name} ${lineName(spot)}`)
  run.title = run.name + (run.exact ? ": cycles" : run.interrupted ? ": where the interrupts came"
    : run.events ? ": overflows of a counter" : ": instructions")
  return run
}

/** A function's code: its rows with address, text and the line that each belongs to */
function readCode([name, start, list]) {
  let pc = BigInt("0x" + start), file = null, line = 0
  const rows = list.map(([step, text, fileNumber, newLine]) => {
    pc += BigInt(step)
    if (fileNumber !== undefined) [file, line] = [profile.names[fileNumber], newLine]
    return {pc, text, file, line}
  })
  return {name: profile.names[name], rows}
}

async function loadData() {
  const data = await unpack(byId("data").textContent)
  Object.assign(profile, data)
  profile.runs = data.runs.map(readRun)
  for (const run of profile.runs)
    if (run.allCycles && !run.callers) run.callers = profile.runs.find(first => first.pair === run.pair).callers
  profile.pairs = data.pairs.map(pair => ({...pair, functions: pair.functions.map(readCode)}))
  profile.files = new Map(data.files.map(([name, pieces]) => {
    const lines = new Map()
    for (const [first, texts] of pieces) texts.forEach((text, index) => lines.set(first + index, text))
    return [data.names[name], lines]
  }))
}

/* Weights of a sample; `events`: also of a counter's overflows */
const metrics = [
  {id: "samples", name: "samples", of: counts => counts.samples, events: true},
  {id: "stall", name: "cycles as the oldest", of: counts => counts.latency[3].sum},
  {id: "latency", name: "cycles of latency", of: counts => counts.latency[4].sum},
  {id: "l1d", name: "L1D misses", of: counts => counts.miss[2] || 0},
  {id: "dtlb", name: "DTLB misses", of: counts => counts.miss[4] || 0},
  {id: "l1i", name: "L1I misses", of: counts => counts.miss[1] || 0},
  {id: "mispredicted", name: "mispredictions", of: counts => counts.mispredicted},
  {id: "flushed", name: "flushed", of: counts => counts.flushed}]

const runNow = () => profile.runs[chosen.run]
const otherRun = () => profile.runs[chosen.other] || null
const metricNow = () => metrics.find(metric => metric.id === chosen.metric && (metric.events || !runNow().events)) || metrics[0]
const metricName = metric => runNow().exact && metric.id === "samples" ? "cycles" : metric.name
const mean = histogram => histogram.n ? histogram.sum / histogram.n : null
const matches = name => !chosen.search || name.toLowerCase().includes(chosen.search.toLowerCase())
