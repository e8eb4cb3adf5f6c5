// SPDX-License-Identifier: Apache-2.0
// The machine with stubs of its harts: random traffic of two masters against a model
// of the bus in acceptance order, and directed tests of every device.
//
// usage: test_soc [transactions [seed]]

#include "machine.h"

int main(int argc, char **argv) {
    const uint64_t transactions = argc > 1 ? std::strtoull(argv[1], nullptr, 0) : 100000;
    const uint64_t seed = argc > 2 ? std::strtoull(argv[2], nullptr, 0) : 1;
    latencies();
    map_and_errors();
    aclint();
    uart();
    plic();
    finisher();
    random_traffic(transactions, seed);
    std::printf("%s\n", failures ? "FAIL" : "ok");
    return failures ? 1 : 0;
}
