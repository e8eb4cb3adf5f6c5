/* SPDX-License-Identifier: Apache-2.0 */
/* Source and disassembly of a function beside each other, with what the samples say of each line. */

/** Short: a column is narrow */
const shareOf = (part, all) => all ? tenth.format(percent(part, all)) + " %" : ""

/** Columns of both sides: counts to text, and how hot */
function codeColumns(run) {
  const {all} = run
  const columns = [{head: "%", title: "share of all samples", text: c => hundredth.format(percent(c.samples, all.samples)),
    heat: c => percent(c.samples, all.samples) / 100}]
  const other = otherRun()
  if (other) columns.push({head: "other %", other: true, title: `share of all samples: ${other.title}`,
    text: c => hundredth.format(percent(c.samples, other.all.samples)), heat: c => percent(c.samples, other.all.samples) / 100})
  if (run.events) return columns
  return columns.concat([
    {head: "cycles", title: "mean cycles as the oldest instruction", text: c => asMean(mean(c.latency[3])),
      heat: c => percent(c.latency[3].sum, all.latency[3].sum) / 100},
    {head: "latency", wide: true, title: "mean cycles from selection to end", text: c => asMean(mean(c.latency[4]))},
    {head: "L1D", title: "L1D misses, of its accesses", text: c => shareOf(c.miss[2] || 0, c.memory),
      heat: c => c.memory ? (c.miss[2] || 0) / c.memory / 4 : 0},
    {head: "DTLB", wide: true, title: "DTLB misses, of its accesses", text: c => shareOf(c.miss[4] || 0, c.memory)},
    {head: "mispr.", wide: true, title: "mispredicted, of its control transfers",
      text: c => shareOf(c.mispredicted, c.transfers),
      heat: c => c.transfers ? c.mispredicted / c.transfers / 4 : 0}])
}

/** Shares, and the other columns that are not empty */
function usedColumns(columns, counts) {
  return columns.filter((column, index) => index === 0 || column.other || counts.some(each => column.text(each)))
}

/** `before`: of the other run, if there is one */
function codeCells(columns, now, before) {
  return columns.map(column => {
    const counts = column.other ? before : now
    const cell = make("td", {className: column.wide ? "wide" : ""}, counts ? column.text(counts) : "")
    if (counts && column.heat) heat(cell, column.heat(counts))
    return cell
  })
}

const place = (file, line) => `${file}:${line}`

/** Rows that belong to each other are marked when one of them is pointed at or has the focus. */
function link(row, key, body) {
  row.dataset.key = key
  row.tabIndex = -1
  const mark = jump => {
    for (const other of body.querySelectorAll("tr.same")) other.classList.remove("same")
    const same = [...body.querySelectorAll("tr[data-key]")].filter(other => other.dataset.key === key)
    same.forEach(other => other.classList.add("same"))
    const away = same.find(other => other.closest(".pane") !== row.closest(".pane"))
    if (jump && away) scrollInto(away)
  }
  row.addEventListener("mouseenter", () => mark(false))
  row.addEventListener("focus", () => mark(true))
  row.addEventListener("click", () => { row.focus(); mark(true) })
  row.addEventListener("keydown", event => {
    const rows = [...row.closest(".pane").querySelectorAll("tr[data-key]")]
    const next = rows[rows.indexOf(row) + ({ArrowDown: 1, ArrowUp: -1}[event.key] || NaN)]
    if (!next) return
    next.focus()
    event.preventDefault()
  })
}

/** Within its pane: the page stays where it is. */
function scrollInto(row) {
  const pane = row.closest(".pane")
  pane.scrollTop = row.offsetTop - pane.clientHeight / 2
}

function paneHead(columns, name) {
  const heads = columns.map(({head, title, wide}) => make("th", {title, className: wide ? "wide" : ""}, head))
  return make("thead", {}, make("tr", {}, ...heads, make("th", {className: "name"}, name)))
}

function pane(id, columns, name, rows) {
  return make("div", {className: "pane", id}, make("table", {}, paneHead(columns, name), make("tbody", {}, ...rows)))
}

/** Counts of a run at an address of another run's program: null, if it is of another program */
function countsAt(run, pc, program) {
  const spot = run && run.program === program ? run.byPc.get(pc) : null
  return spot ? spot.counts : null
}

function instructionPane(run, code, columns, body) {
  const rows = code.rows.map(each => {
    const before = countsAt(otherRun(), each.pc, run.program)
    const row = make("tr", {}, ...codeCells(columns, countsAt(run, each.pc, run.program), before), make("td", {className: "name"},
      make("span", {className: "number"}, each.pc.toString(16) + "  "), each.text))
    row.dataset.pc = each.pc.toString(16)
    link(row, place(each.file, each.line), body)
    return row
  })
  return pane("instructions", columns, "instruction", rows)
}

/** The lines that the function's instructions come from, and those between them: [file, from, to] */
function filesOf(code) {
  const files = new Map()
  for (const {file, line} of code.rows) {
    if (!file || !line) continue
    const range = files.get(file) || [line, line]
    files.set(file, [Math.min(range[0], line), Math.max(range[1], line)])
  }
  return files
}

/** Counts of a run by the lines of a function's code */
function countsByLine(run, code, program) {
  const sums = new Map()
  for (const {pc, file, line} of code.rows) {
    const counts = countsAt(run, pc, program)
    if (!counts) continue
    const key = place(file, line)
    if (!sums.has(key)) sums.set(key, emptyCounts())
    addCounts(sums.get(key), counts)
  }
  return sums
}

/** By the lines themselves: another program has other addresses */
function otherByLine(run, code) {
  const other = otherRun()
  if (!other || other.program === run.program) return countsByLine(other, code, run.program)
  return new Map(other.lines.map(({key, counts}) => [key, counts]))
}

function sourcePane(run, code, columns, body) {
  const counts = countsByLine(run, code, run.program), before = otherByLine(run, code), rows = []
  for (const [file, [from, to]] of filesOf(code)) {
    const texts = profile.files.get(file)
    const heading = shortName(file) + (texts ? "" : ": not there when the page was made")
    rows.push(make("tr", {className: "file"}, make("td", {colSpan: columns.length + 1}, heading)))
    for (let line = from - 4; line <= to + 4; line++) {
      const key = place(file, line)
      if (!(texts && texts.has(line)) && !counts.has(key)) continue
      const row = make("tr", {}, ...codeCells(columns, counts.get(key), before.get(key)), make("td", {className: "name"},
        make("span", {className: "number"}, String(line).padStart(5) + "  "), texts && texts.get(line) || ""))
      link(row, key, body)
      rows.push(row)
    }
  }
  return pane("source", columns, "source", rows)
}

/** The code that holds a function, which may be inlined there */
function codeOf(run, name, pc) {
  const {functions} = profile.pairs[run.pair]
  const holds = (code, at) => code.rows.some(row => row.pc === at)
  const spot = run.spots.filter(each => each.frames[0].name === name).sort((a, b) => b.counts.samples - a.counts.samples)[0]
  return (pc !== undefined && functions.find(code => holds(code, pc))) || functions.find(code => code.name === name)
    || (spot && functions.find(code => holds(code, spot.pc)))
}

function openCode(name, pc) {
  chosen.code = {name, pc}
  show("code")
}

function samplesIn(run, code) {
  return code.rows.reduce((sum, row) => sum + (run.byPc.has(row.pc) ? run.byPc.get(row.pc).counts.samples : 0), 0)
}

function showCode(view) {
  const run = runNow(), pair = profile.pairs[run.pair]
  const sums = pair.functions.map(code => ({code, samples: samplesIn(run, code)})).sort((a, b) => b.samples - a.samples)
  if (!sums.length) {
    view.append(make("p", {className: "note"}, `There is no disassembly in this page. ${pair.why}`))
    return
  }
  const wanted = chosen.code && codeOf(run, chosen.code.name, chosen.code.pc)
  const list = sums.filter(({code}) => matches(code.name) || code === wanted)
  const now = wanted || (list[0] || sums[0]).code
  const columns = usedColumns(codeColumns(run), now.rows.filter(row => run.byPc.has(row.pc)).map(row => run.byPc.get(row.pc).counts))
  const options = list.map(({code, samples}) => [String(pair.functions.indexOf(code)),
    `${asShare(percent(samples, run.all.samples))} ${code.name}`])
  const body = make("div", {className: "code"})
  view.append(make("div", {className: "bar"}, make("label", {}, "Function ", select("function", options,
    String(pair.functions.indexOf(now)), value => { openCode(pair.functions[value].name, pair.functions[value].rows[0].pc) })),
  make("span", {className: "note"}, "Up and down move; what belongs to a line is marked on both sides.")))
  if (chosen.code && !wanted) view.append(make("p", {className: "note"}, `${chosen.code.name}: its code is not in this page.`))
  body.append(sourcePane(run, now, columns, body), instructionPane(run, now, columns, body))
  view.append(body)
  const at = chosen.code && chosen.code.pc !== undefined ? chosen.code.pc
    : now.rows.map(row => row.pc).sort((a, b) => samplesAt(run, b) - samplesAt(run, a))[0]
  const row = body.querySelector(`[data-pc="${at.toString(16)}"]`)
  if (!row) return
  row.tabIndex = 0
  scrollInto(row)
  row.dispatchEvent(new Event("mouseenter"))
  const line = body.querySelector("#source tr.same")
  if (line) scrollInto(line)
}

const samplesAt = (run, pc) => run.byPc.has(pc) ? run.byPc.get(pc).counts.samples : 0
