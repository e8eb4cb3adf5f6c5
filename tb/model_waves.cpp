// SPDX-License-Identifier: Apache-2.0
// Wave files: which signals they have, and their values.
#include "model.h"

#include <algorithm>
#include <cerrno>
#include <set>
#include <string>
#include <vector>

#define WAVES_(prefix) prefix##_waves
#define WAVES(prefix) WAVES_(prefix)
extern const WaveModel WAVES(SIM_CLASS);

namespace MODEL_SPACE {
namespace {

const WaveModel &kModel = WAVES(SIM_CLASS);

// Where a name that does not begin with TOP may begin
const char *const kBegins[] = {"", "TOP.tally_sim_top.u_soc.g_hart[0].u_hart.", "TOP.tally_sim_top.u_soc.",
                               "TOP.tally_sim_top."};
constexpr unsigned kNearest = 3;

std::string joined(const std::vector<std::string> &words) {
    std::string text;
    for (const auto &word : words)
        text += (text.empty() ? "" : ".") + word;
    return text;
}

bool within(const std::string &scope, const std::string &part) {
    return scope.compare(0, part.size(), part) == 0 &&
           (scope.size() == part.size() || scope[part.size()] == '.');
}

std::set<std::string> all_scopes(Machine *m) {
    std::set<std::string> found;
    WaveNames names([&](const WaveSignal &signal) {
        std::vector<std::string> words = *signal.scope;
        for (; !words.empty() && found.insert(joined(words)).second; words.pop_back())
            ;
    });
    kModel.names(m->root, &names);
    return found;
}

// Letters that must be changed, put in or left out to make one out of the other
unsigned distance(const std::string &a, const std::string &b) {
    std::vector<unsigned> row(b.size() + 1);
    for (unsigned j = 0; j <= b.size(); j++)
        row[j] = j;
    for (unsigned i = 1; i <= a.size(); i++) {
        unsigned corner = row[0];
        row[0] = i;
        for (unsigned j = 1; j <= b.size(); j++) {
            const unsigned changed = corner + (a[i - 1] != b[j - 1]);
            corner = row[j];
            row[j] = std::min({row[j] + 1, row[j - 1] + 1, changed});
        }
    }
    return row[b.size()];
}

// Of the ways to write a scope the one that is nearest to a name
std::pair<unsigned, std::string> nearest_form(const std::string &scope, const std::string &name) {
    std::pair<unsigned, std::string> best = {~0u, ""};
    for (const std::string begin : kBegins) {
        if (scope.size() <= begin.size() || scope.compare(0, begin.size(), begin) != 0)
            continue;
        const std::string form = scope.substr(begin.size());
        best = std::min(best, {distance(form, name), form});
        const size_t dot = form.rfind('.'); // only the instance is known
        if (dot != std::string::npos)
            best = std::min(best, {distance(form.substr(dot + 1), name) + 1, form});
    }
    return best;
}

bool refuse(const std::set<std::string> &scopes, const char *name, error *e) {
    std::vector<std::pair<unsigned, std::string>> forms;
    for (const auto &scope : scopes)
        forms.push_back(nearest_form(scope, name));
    std::sort(forms.begin(), forms.end());
    std::string list;
    for (unsigned i = 0; i < kNearest && i < forms.size(); i++)
        list += (i ? ", " : "") + forms[i].second;
    return error_set(e, "--wave-scope '%s': the machine has no such part; the nearest names: %s", name,
                     list.c_str());
}

bool shown(const Machine *m, const WaveSignal &signal) {
    if (m->wave_all)
        return true;
    if (m->wave_parts.empty())
        return kModel.group[signal.code] == 0;
    const std::string scope = joined(*signal.scope);
    return std::any_of(m->wave_parts.begin(), m->wave_parts.end(),
                       [&](const std::string &part) { return within(scope, part); });
}

// Leave and enter scopes until `scope` is open.
void enter(fst_write *file, std::vector<std::string> *open, const std::vector<std::string> &scope) {
    size_t same = 0;
    while (same < open->size() && same < scope.size() && (*open)[same] == scope[same])
        same++;
    for (; open->size() > same; open->pop_back())
        fst_upscope(file);
    for (; open->size() < scope.size(); open->push_back(scope[open->size()]))
        fst_scope(file, scope[open->size()].c_str());
}

void declare(Machine *m) {
    WaveBuffer &buffer = *m->waves;
    std::vector<std::string> open;
    WaveNames names([&](const WaveSignal &signal) {
        if (!shown(m, signal))
            return;
        uint32_t &handle = buffer.handle[signal.code];
        enter(m->fst, &open, *signal.scope);
        const std::string name = signal.name + (signal.bits.empty() ? "" : " " + signal.bits);
        handle = fst_signal(m->fst, signal.type, signal.direction, name.c_str(), signal.width, handle);
        if (kModel.group[signal.code] < kModel.groups)
            buffer.group[kModel.group[signal.code]] = 1;
    });
    kModel.names(m->root, &names);
    enter(m->fst, &open, {});
}

} // namespace

bool wave_select(sim *s, const sim_wave_set *set, error *e) {
    auto *m = static_cast<Machine *>(s);
    const std::set<std::string> scopes = all_scopes(m);
    m->wave_all = set->all;
    m->wave_parts.clear();
    for (unsigned i = 0; i < set->scopes; i++) {
        const auto found =
            std::find_if(std::begin(kBegins), std::end(kBegins),
                         [&](const std::string &begin) { return scopes.count(begin + set->scope[i]) != 0; });
        if (found == std::end(kBegins))
            return refuse(scopes, set->scope[i], e);
        m->wave_parts.push_back(std::string(*found) + set->scope[i]);
    }
    return true;
}

bool wave_open(sim *s, const char *path) {
    auto *m = static_cast<Machine *>(s);
    if (!m->wave || m->fst || !(m->fst = fst_open(path)))
        return false;
    m->waves = std::make_unique<WaveBuffer>(kModel.codes, kModel.groups);
    m->waves->log = fst_log_of(m->fst);
    m->wave_first = true;
    declare(m);
    for (unsigned h = 0; h < SIM_HARTS; h++)
        join_counters(m, h);
    return true;
}

bool wave_close(sim *s) {
    auto *m = static_cast<Machine *>(s);
    const bool ok = !m->fst || fst_close(m->fst);
    m->fst = nullptr;
    m->waves.reset();
    return ok;
}

void wave_dump(Machine *m, uint64_t time) {
    fst_time(m->fst, time);
    (m->wave_first ? kModel.full : kModel.change)(m->root, m->waves.get());
    m->wave_first = false;
}

} // namespace MODEL_SPACE
