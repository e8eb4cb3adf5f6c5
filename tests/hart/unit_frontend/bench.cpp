// SPDX-License-Identifier: Apache-2.0
// What all runs of the bench share
#include "bench.h"

uint64_t covered[COVERS];
FaultyWire faulty;
