# SPDX-License-Identifier: Apache-2.0
# The front door. Everything is done by CMake, CTest and scripts/; `make help` lists the targets.
BUILD ?= build
JOBS ?= 2
BOARD ?= ulx3s
PYTHON := .venv/bin/python
CTEST := ctest --test-dir $(BUILD) --output-on-failure -j$(JOBS)

.PHONY: help setup setup-run build tools profile run test test-long test-ci test-linux test-linux-ci mutants coverage formal
.PHONY: waves waves-diff stories pictures bench bench-sbi bench-sampling bench-accuracy bench-area docs lint clean

# Before anything is built
ifneq ($(filter profile,$(MAKECMDGOALS)),)
$(if $(PROGRAM),,$(error PROGRAM= says what to profile; docs/programs.md))
$(foreach path,$(PROGRAM),$(if $(wildcard $(path)),,$(error $(path): there is no such file)))
endif

help: ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /  make \1\t/p' $(MAKEFILE_LIST) | expand -t 22

setup: ## install missing tools (Debian packages, .venv)
	@scripts/setup

setup-run: # ... those that run and profile need
	@scripts/setup --run

build: setup ## configure and build everything
	@scripts/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS)

tools: setup-run ## what `make profile` needs, and no more: simulator, tally-profile, firmware
	@scripts/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS) --target tally-sim tally-profile riscv_firmware riscv_program riscv_user

profile: tools ## run a program of your own and show its profile: PROGRAM=my.c (ARGS= CFLAGS= EVENTS= PERIOD=; docs/programs.md)
	@$(PYTHON) scripts/profile.py --build $(BUILD) $(if $(CFLAGS),--cflags='$(CFLAGS)') $(if $(EVENTS),--events='$(EVENTS)') \
	  $(if $(PERIOD),--period=$(PERIOD)) $(if $(ARGS),--args='$(ARGS)') $(PROFILE) $(PROGRAM)

run: setup-run ## run every workload in lockstep with the golden models and print the counters
	@scripts/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS) --target tally_run
	@$(PYTHON) scripts/run.py --build $(BUILD) --jobs $(JOBS) $(RUN)

test: build ## all tests but the long ones
	@$(CTEST) -LE '^(long|ci|linux|linux_ci)$$'

test-long: build ## the long tests
	@$(CTEST) -L '^long$$'

test-ci: build ## the bounded longer tests that run besides `make test` in continuous integration
	@$(CTEST) -L '^ci$$'

mutants: build ## injected faults in the hart's event wires and in rtl/pmu: the share that the tests catch
	@ctest --test-dir $(BUILD) -V -L '^mutants$$'
	@$(PYTHON) scripts/mutants.py --build $(BUILD) --jobs $(JOBS) $(MUTANTS)

coverage: build ## lines, branches and signals of rtl/pmu that its suite covers
	@$(PYTHON) scripts/coverage.py --build $(BUILD) --jobs $(JOBS) $(COVERAGE)

test-linux: build ## boot Linux and test its perf events, on one hart and two, under our firmware and OpenSBI
	@scripts/setup --with linux
	@cmake --build $(BUILD) --target linux_image linux_drivers linux_drivers_debug
	@$(CTEST) -L '^linux(_ci)?$$'

test-linux-ci: build ## ... the shorter ones of them, for continuous integration
	@scripts/setup --with linux
	@cmake --build $(BUILD) --target linux_drivers
	@$(CTEST) -L '^linux_ci$$'

.PHONY: linux
linux: setup ## Linux with a shell and perf: RUN="perf stat ls" for one command, ISS=1 on the fast golden machine (docs/linux.md)
	@scripts/setup --with linux
	@scripts/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS) --target $(if $(ISS),tally-iss,tally-sim$(if $(filter 2,$(SMP)), tally-sim-2)) riscv_firmware $(if $(DRIVERS),linux_drivers,linux_image)
	@$(PYTHON) scripts/linux.py --build $(BUILD) $(if $(ISS),--iss) $(if $(SMP),--smp $(SMP)) $(if $(DRIVERS),--drivers $(DRIVERS)) $(if $(FILES),--files '$(FILES)') \
	  $(if $(RUN),--run '$(RUN)') $(LINUX)

formal: build ## prove the properties of the PMU and print a table
	@$(PYTHON) scripts/formal.py --build $(BUILD) --jobs $(JOBS) $(FORMAL)

waves: build ## a short run in GTKWave: STORY=name (`make stories` lists them), or WORKLOAD=name WAVE_FROM=.. WAVE_TO=..
	@$(PYTHON) scripts/waves.py --build $(BUILD) $(or $(STORY),workload) $(WORKLOAD:%=--set workload=%) \
	  $(WAVE_FROM:%=--set from=%) $(WAVE_TO:%=--set to=%) $(WAVES)

waves-diff: build ## first difference of the wave files A=.. and B=..; exit status 0 none, 1 different, 2 bad input
	@$(PYTHON) scripts/waves.py --build $(BUILD) --diff $(A) $(B) $(WAVES)

stories: setup ## the stories of `make waves`
	@$(PYTHON) scripts/waves.py --list

pictures: docs ## the pictures of the documentation, drawn by GTKWave and Chromium
	@$(PYTHON) scripts/waves.py --build $(BUILD) --pictures --no-view
	@$(PYTHON) scripts/screenshots.py --build $(BUILD)

bench: build ## speed of the simulation (BENCH=--pmu: cost of the counters; --guided: compiled with a profile; --profile: host time by module)
	@$(PYTHON) scripts/bench.py --build $(BUILD) $(BENCH)

.PHONY: bench-hart
bench-hart: ## the reference hart's instructions a cycle, and CoreMark (docs/hart.md)
	@scripts/setup --with ibex
	@scripts/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS) --target tally-sim hart_kernels
	@$(PYTHON) scripts/bench_hart.py --build $(BUILD) $(BENCH)

.PHONY: bench-waves
bench-waves: build ## what waves cost, by choice of signals, as ratios (docs/waves.md)
	@$(PYTHON) scripts/bench_waves.py --build $(BUILD) $(BENCH)

bench-sbi: build ## cost of SBI calls, ours and OpenSBI's
	@$(PYTHON) scripts/bench_sbi.py --build $(BUILD) $(BENCH)

bench-sampling: build ## overhead of a sample, and the share of lost samples
	@$(PYTHON) scripts/bench_sampling.py --build $(BUILD) $(BENCH)

.PHONY: bench-linux
bench-linux: build ## cost of perf's events under Linux, by the stock driver and ours (docs/linux.md)
	@scripts/setup --with linux
	@cmake --build $(BUILD) --target linux_drivers
	@$(PYTHON) scripts/bench_linux.py --build $(BUILD) $(BENCH)

bench-accuracy: build ## accuracy of profiles, against an oracle of every cycle (WORKLOADS=names)
	@$(PYTHON) scripts/bench_accuracy.py --build $(BUILD) --jobs $(JOBS) $(BENCH) $(WORKLOADS)

bench-area: setup ## area of the PMU: LUTs, flip-flops, depth (AREA=options of scripts/bench_area.py)
	@$(PYTHON) scripts/bench_area.py $(AREA)

.PHONY: bench-fmax
bench-fmax: setup ## clock of the PMU alone on an ECP5-85F (installs place and route into .venv)
	@$(PYTHON) scripts/bench_fmax.py --out $(BUILD)/fmax $(FMAX)

docs: build ## the documentation as a site (build/site), its links and commands checked
	@scripts/setup --with docs
	@$(PYTHON) scripts/docs.py --build $(BUILD)

lint: build ## every check of style and sources
	@$(PYTHON) scripts/lint.py --build $(BUILD)

.PHONY: fpga-files fpga fpga-area fpga-check
fpga-files: setup
	@scripts/configure $(BUILD)
	@cmake --build $(BUILD) -j $(JOBS) --target tally_spec_files tally-image tally-refine riscv_firmware riscv_demo

fpga-area: fpga-files ## area, fmax and worst path on an ECP5-85F (installs place and route into .venv)
	@$(PYTHON) scripts/fpga.py --build $(BUILD) area ulx3s $(FPGA)

fpga: fpga-files ## bitstream for BOARD=name (installs place and route into .venv)
	@$(PYTHON) scripts/fpga.py --build $(BUILD) bitstream $(BOARD) $(FPGA)

fpga-check: fpga-files ## every board: pins, latches, loops, drivers; memories of the SoC; the small boards placed and routed
	@$(PYTHON) scripts/fpga.py --build $(BUILD) check

clean: ## remove the build directory
	@rm -rf $(BUILD)
