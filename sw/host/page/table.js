/* SPDX-License-Identifier: Apache-2.0 */
/* Functions, lines or instructions with all that is known of them; sorted by a click on a heading. */

const tableView = {rows: "functions", sort: {}, shown: 200}

const missShare = (index, of) => row => ratio(row.counts.miss[index] || 0, of(row.counts))

/** Columns of a table of a run: id, heading, what it means, value of a row, and its text */
function columnsOf(run) {
  const all = run.all
  const columns = [
    {id: "samples", head: run.exact ? "cycles" : "samples", title: "how many", of: row => row.counts.samples, text: asCount},
    {id: "share", head: "share", title: "of all samples", of: row => percent(row.counts.samples, all.samples), text: asShare},
    {id: "chance", head: "by chance", title: "what 95 of 100 errors of the share stay below",
      of: row => chanceOf(run, row.counts.samples, all.samples), text: value => "\u00b1 " + hundredth.format(value)}]
  if (run.events) return columns
  return columns.concat([
    {id: "stall", head: "stall", title: "of all cycles in which a sample was the oldest instruction, those of this row",
      of: row => percent(row.counts.latency[3].sum, all.latency[3].sum), text: asShare},
    {id: "total", head: "total", title: "mean cycles from selection to end", of: row => mean(row.counts.latency[4]), text: asMean},
    {id: "oldest", head: "oldest", title: "mean cycles as the oldest instruction", of: row => mean(row.counts.latency[3]), text: asMean},
    {id: "execution", head: "execution", title: "mean cycles from issue to completion", of: row => mean(row.counts.latency[2]),
      text: asMean},
    {id: "l1d", head: "L1D miss", title: "of its accesses", of: missShare(2, counts => counts.memory), text: asShare},
    {id: "dtlb", head: "DTLB miss", title: "of its accesses", of: missShare(4, counts => counts.memory), text: asShare},
    {id: "l1i", head: "L1I miss", title: "of its samples", of: missShare(1, counts => counts.samples), text: asShare},
    {id: "mispredicted", head: "mispred.", title: "mispredicted, of its control transfers",
      of: row => ratio(row.counts.mispredicted, row.counts.transfers), text: asShare},
    {id: "flushed", head: "flushed", title: "of its samples", of: row => percent(row.counts.flushed, row.counts.samples), text: asShare}])
}

const nameColumn = {id: "name", head: "name", title: "sort by name", of: row => row.name, text: value => value}

function sorted(rows, column, descending) {
  const sign = descending ? -1 : 1
  return [...rows].sort((a, b) => {
    const x = column.of(a), y = column.of(b)
    if (x === null || y === null) return (x === null) - (y === null)
    return sign * (x < y ? -1 : x > y ? 1 : 0) || b.counts.samples - a.counts.samples
  })
}

/** A table with headings that sort: `state` has sort, descending, shown; `again` draws it anew. */
function sortedTable(rows, columns, state, again, onrow) {
  const column = columns.find(each => each.id === state.sort) || columns[0]
  const head = make("tr", {}, ...columns.map(each => make("th", {className: each.id === "name" ? "name" : "", scope: "col",
    "aria-sort": each === column ? (state.descending ? "descending" : "ascending") : "none"},
  make("button", {title: each.title, id: "sort-" + each.id, onclick: () => {
    state.descending = each === column ? !state.descending : each.id !== "name"
    state.sort = each.id
    again()
    byId("sort-" + each.id).focus()
  }}, each.head))))
  const body = sorted(rows, column, state.descending).slice(0, state.shown).map(row => {
    const classOf = each => each.id === "name" ? "name" : each.className ? each.className(row) : ""
    const line = make("tr", {}, ...columns.map(each => make("td", {className: classOf(each)}, each.text(each.of(row)))))
    const share = columns.find(each => each.id === "share")
    if (share) heat(line.children[columns.indexOf(share)], share.of(row) / 100)
    if (onrow) {
      line.tabIndex = 0
      line.addEventListener("click", () => onrow(row))
      line.addEventListener("keydown", event => { if (event.key === "Enter") onrow(row) })
    }
    return line
  })
  const table = make("table", {}, make("thead", {}, head), make("tbody", {}, ...body))
  const more = rows.length > state.shown
    ? make("button", {id: "more", onclick: () => { state.shown *= 4; again() }}, `${asCount(rows.length - state.shown)} more`) : null
  return make("div", {}, make("div", {className: "scroll"}, table), more)
}

/** A background as strong as `part` of all */
function heat(cell, part) {
  if (part > 0) cell.style.background = `rgba(var(--heat), ${(0.06 + 0.6 * Math.min(1, Math.sqrt(part))).toFixed(3)})`
}

const select = (id, options, value, onchange) => {
  const element = make("select", {id, onchange: event => onchange(event.target.value)},
    ...options.map(([key, text]) => make("option", {value: key}, text)))
  element.value = value
  return element
}

function showTable(view) {
  const place = make("div", {id: "table"})
  const count = make("span", {className: "note"})
  const again = () => {
    const run = runNow()
    const rows = run[tableView.rows].filter(row => matches(row.name))
    tableView.sort.shown = tableView.shown
    count.textContent = `${asCount(rows.length)} of ${asCount(run[tableView.rows].length)}`
    if (!tableView.sort.sort) Object.assign(tableView.sort, {sort: "samples", descending: true})
    place.replaceChildren(sortedTable(rows, [...columnsOf(run), nameColumn], tableView.sort, () => {
      tableView.shown = tableView.sort.shown
      again()
    }, row => openCode(row.spot.frames[0].name, row.spot.pc)))
  }
  view.append(make("div", {className: "bar"}, make("label", {}, "Rows ", select("rows", [["functions", "functions"],
    ["lines", "lines"], ["instructions", "instructions"]], tableView.rows, value => { tableView.rows = value; again() })), count),
  place)
  again()
}
