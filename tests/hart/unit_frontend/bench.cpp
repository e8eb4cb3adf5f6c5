// SPDX-License-Identifier: Apache-2.0
// Shared by all runs of the bench
#include "bench.h"

uint64_t covered[COVERS];
FaultyWire faulty;
