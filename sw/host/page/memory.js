/* SPDX-License-Identifier: Apache-2.0 */
/* Loads and stores by address, by variable and by where the data came from. */

const memoryView = {objects: {sort: "accesses", descending: true, shown: 20}, pages: {sort: "accesses", descending: true, shown: 20}}

const PAGE = 4096n

/** Pages side by side, without the room between them: addresses to heights and back */
function compressed(points) {
  const pages = [...new Set(points.map(point => point.address / PAGE))].sort((a, b) => a < b ? -1 : a > b ? 1 : 0)
  const rank = new Map(pages.map((page, index) => [page, index]))
  return {pages, height: address => rank.get(address / PAGE) + Number(address % PAGE) / Number(PAGE)}
}

function scatter(place, run) {
  const points = run.memory.points.map(([time, address, source, cycles]) => (
    {time: time / run.timeClock, address: BigInt("0x" + address), source, cycles})).sort((a, b) => a.time - b.time)
  const {pages, height} = compressed(points)
  const sources = [...new Set(points.map(point => point.source))].sort((a, b) => a - b)
  const times = points.map(point => point.time)
  const show = (_, value, series, index) => index === null || value === null || value === undefined ? ""
    : `0x${points[index].address.toString(16)}, ${points[index].cycles} cycles`
  addChart(place, "Addresses over time, by data source", {
    height: 320,
    axes: [timeAxis(run), axis({size: 92, incrs: [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000],
      values: (_, ticks) => ticks.map(tick => pages[tick] === undefined ? "" : "0x" + (pages[tick] * PAGE).toString(16))})],
    scales: {x: {time: false}, y: {range: [0, Math.max(1, pages.length)]}},
    series: [{label: "time", value: (_, value) => value === null ? "" : asTime(value * run.timeClock, run)},
      ...sources.map(source => ({label: profile.sourceNames[source], stroke: colour(source), paths: () => null, value: show,
        points: {show: true, size: 4, fill: colour(source)}}))]
  }, [times, ...sources.map(source => points.map(point => point.source === source ? height(point.address) : null))],
  times.length > 1 ? [times[0], times[times.length - 1]] : null)
}

function sourceBars(place, run) {
  const codes = profile.sourceNames.map((_, index) => index).filter(index => run.all.source[index])
  addChart(place, "Where the data came from", {
    axes: [axis({splits: () => codes.map((_, index) => index), values: () => codes.map(code => profile.sourceNames[code]),
      rotate: codes.length > 4 ? -20 : 0}),
      axis({size: 56, values: (_, ticks) => ticks.map(tick => tick + " %")})],
    scales: {x: {time: false, range: [-0.6, codes.length - 0.4]}, y: fromZero},
    series: [{label: "source", value: (_, value) => value === null ? "" : profile.sourceNames[codes[value]]},
      {label: "of the accesses", stroke: colour(0), fill: colour(0), paths: uPlot.paths.bars({size: [0.7, 80]}), points: {show: false},
        value: (_, value) => asShare(value === undefined ? null : value)}]
  }, [codes.map((_, index) => index), codes.map(code => percent(run.all.source[code], run.all.memory))])
}

function placeColumns(run, head, nameOf) {
  const share = (id, title, field, text) => ({id, head: text, title, of: row => percent(row[field], row.accesses), text: asShare})
  const sources = profile.sourceNames.map((_, index) => index).filter(index => run.all.source[index])
  return [{id: "accesses", head: "accesses", title: "samples of loads, stores, atomics", of: row => row.accesses, text: asCount},
    {id: "share", head: "share", title: "of all accesses", of: row => percent(row.accesses, run.all.memory), text: asShare},
    share("stores", "of its accesses", "stores", "stores"), share("l1d", "of its accesses", "misses", "L1D miss"),
    share("dtlb", "of its accesses", "tlb", "DTLB miss"),
    {id: "cycles", head: "cycles", title: "mean cycles from issue to completion", of: row => row.cycles / row.accesses, text: asMean},
    ...sources.map(code => ({id: "source" + code, head: profile.sourceNames[code], title: "data from there, of its accesses",
      of: row => percent(row.source[code] || 0, row.accesses), text: asShare})),
    {...nameColumn, head, of: nameOf}]
}

function placeTable(view, id, heading, rows, columns) {
  const place = make("div", {id})
  const again = () => place.replaceChildren(sortedTable(rows, columns, memoryView[id], again))
  view.append(make("h2", {}, heading), place)
  again()
}

const readPlace = ([name, accesses, stores, misses, tlb, cycles, source]) => (
  {name: typeof name === "number" ? profile.names[name] : "0x" + name, accesses, stores, misses, tlb, cycles, source,
    counts: {samples: accesses}})

function showMemory(view) {
  const run = runNow()
  if (!run.all.memory) {
    view.append(make("p", {className: "note"}, "No sample of this run is a load or a store."))
    return
  }
  const place = make("div", {className: "plots"})
  const drawn = run.memory.every > 1 ? `One of ${asCount(run.memory.every)} accesses is drawn. ` : ""
  view.append(make("p", {className: "note"}, drawn + "Pages of 4 KiB without accesses are left out."), place)
  scatter(place, run)
  sourceBars(place, run)
  const found = list => list.map(readPlace).filter(row => matches(row.name))
  placeTable(view, "objects", "By variable", found(run.memory.objects), placeColumns(run, "variable or section", row => row.name))
  placeTable(view, "pages", "By page of 4 KiB", found(run.memory.pages), placeColumns(run, "page", row => row.name))
}
