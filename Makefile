# The commands of the project. `make test` runs everything and sets up what it needs.

MODELS ?= models
CORPUS ?= ../shared/models
PYTHON ?= python3

VENV := .venv
BIN := $(VENV)/bin
CONFORMANCE := crates/sim-conformance-tests/python
MUJOCO := 3.5.0
# a second environment, with the newest MuJoCo
NEWEST := .venv-newest

.PHONY: help check test test-rust test-python conform conform-corpus conform-readme bench bench-readme \
	gymnasium mujoco-tests urdf edits derivatives dm-control viewer-test viewer-cost docs picture golden python hashes \
	render-truth sanitize attack clean quick test-begin wheel package portable ray bench-vector tutorials

help:
	@echo 'make check                format, lints and docs, with warnings denied'
	@echo 'make test                 every test, in Rust and in Python, and a table of what ran'
	@echo 'make quick                format, lints and tests of the command, robots beside MuJoCo'
	@echo 'make conform MODELS=dir   compare with MuJoCo $(MUJOCO) on a directory of models'
	@echo 'make bench                compare speed with MuJoCo $(MUJOCO) and the newest release'
	@echo 'make gymnasium            compare the environments of Gymnasium on both engines'
	@echo 'make viewer-test          test the viewer in Chromium'
	@echo 'make viewer-cost          measure what the viewer takes of a core and of memory'
	@echo 'make render-truth         compare pictures, and their speed, with MuJoCo $(MUJOCO) on OSMesa'
	@echo 'make mujoco-tests         run the tests of the package mujoco $(MUJOCO) on CortenForge'
	@echo 'make urdf                 compare robots in URDF with MuJoCo $(MUJOCO)'
	@echo 'make edits                compare edits of models with MuJoCo $(MUJOCO), and their speed'
	@echo 'make derivatives          compare derivatives of a step with MuJoCo $(MUJOCO), and their cost'
	@echo 'make dm-control           run the suite and the tests of dm_control on both engines'
	@echo 'make bench-readme         likewise, and write the tables into the documents;'
	@echo '     conform-readme       best on an idle machine'
	@echo 'make docs                 write the reference pages in docs/fields'
	@echo 'make picture              draw the picture of the README'
	@echo 'make golden               regenerate the golden data with MuJoCo $(MUJOCO)'
	@echo 'make hashes               hashes of trajectories, compared with those in HASHES if it exists'
	@echo 'make attack               attack the Python package with bad input, and count what happens'
	@echo 'make sanitize             the Python tests with debug assertions and address sanitizer'
	@echo 'make wheel                build the wheel, with modules for any x86-64 and for AVX2'
	@echo 'make package              build the packages of the public crates, and the source distribution'
	@echo 'make portable             the same bits on an emulated CPU without AVX2 and on ARM (qemu-user)'
	@echo 'make ray                  rollouts over two local nodes of Ray, one of which is killed'
	@echo 'make bench-vector         vector environments beside those of Gymnasium on MuJoCo'
	@echo 'make python               build the Python package into $(VENV)'

check:
	cargo fmt --all --check
	cargo clippy --workspace --all-targets --quiet -- -D warnings
	RUSTDOCFLAGS=-Dwarnings cargo doc --workspace --no-deps --quiet

# what each step comes to is kept for the table at the end
RUN := $(PYTHON) .ci/table.py run

test: test-begin test-rust test-python conform-corpus
	@$(PYTHON) .ci/table.py show

test-begin:
	@$(PYTHON) .ci/table.py clear

test-rust:
	@$(RUN) 'Rust' cargo test --workspace --quiet

test-python: python
	@$(RUN) 'Python' $(BIN)/python -m pytest -q crates/sim-python/tests
	@$(RUN) 'models beside MuJoCo' $(BIN)/python $(CONFORMANCE)/conform.py models
	@$(RUN) 'flags beside MuJoCo' $(BIN)/python $(CONFORMANCE)/flags.py
	@$(RUN) 'mesh contacts beside MuJoCo' $(BIN)/python $(CONFORMANCE)/mesh_poses.py --count 200

# on a built tree this takes under two minutes, without the test that fills its memory
quick: python
	cargo fmt --all --check
	cargo clippy -p cortenforge -p cortenforge-cli --quiet -- -D warnings
	cargo test --release --quiet -p cortenforge-cli -- --skip little_memory
	$(BIN)/python -m pytest -q crates/sim-python/tests/test_package.py crates/sim-python/tests/test_robots.py
	$(BIN)/python -m cortenforge compare $(wildcard crates/cortenforge/robots/*.xml)

# models of others: those that load must agree
conform-corpus: python
	@if [ -d '$(CORPUS)' ]; then \
		$(RUN) 'models of others beside MuJoCo' $(BIN)/python $(CONFORMANCE)/conform.py '$(CORPUS)' --only-loaded --limit 300 && \
		$(RUN) 'contacts beside MuJoCo' $(BIN)/python -W ignore $(CONFORMANCE)/contacts.py '$(CORPUS)' --steps 20; \
	else \
		echo 'no models in $(CORPUS): the comparison over them is left out'; \
	fi

conform: python
	$(BIN)/python $(CONFORMANCE)/conform.py '$(MODELS)' --solver all --cone all --limit 300
	$(BIN)/python -W ignore $(CONFORMANCE)/contacts.py '$(MODELS)'
	$(BIN)/python $(CONFORMANCE)/flags.py
	$(BIN)/python $(CONFORMANCE)/random_models.py --count 1000
	$(BIN)/python $(CONFORMANCE)/mesh_poses.py

conform-readme: python
	mkdir -p target
	$(BIN)/python $(CONFORMANCE)/conform.py models --json target/conform.json
	$(if $(wildcard $(CORPUS)),$(BIN)/python $(CONFORMANCE)/conform.py '$(CORPUS)' --only-loaded \
		--limit 300 --json target/conform-corpus.json)
	$(BIN)/python $(CONFORMANCE)/conform_table.py target/conform.json \
		$(if $(wildcard $(CORPUS)),target/conform-corpus.json) --write README.md
	$(BIN)/python $(CONFORMANCE)/gymnasium_envs.py --write docs/gymnasium.md

BENCH := $(BIN)/python $(CONFORMANCE)/bench.py --newest $(NEWEST)/bin/python --json bench.json

bench: python $(NEWEST)/ready
	$(BENCH)
	$(BIN)/python $(CONFORMANCE)/bench_load.py models $(wildcard $(CORPUS))

bench-readme: python $(NEWEST)/ready
	$(BENCH) --seconds 10 --write README.md
	$(BIN)/python $(CONFORMANCE)/bench_load.py models $(wildcard $(CORPUS)) --write README.md

gymnasium: python
	$(BIN)/python $(CONFORMANCE)/gymnasium_envs.py

# its tests come with the wheel; they are run from there
mujoco-tests: python
	$(BIN)/pip install --quiet --disable-pip-version-check absl-py etils importlib_resources
	$(BIN)/python $(CONFORMANCE)/mujoco_tests.py --at-least 264

# robots in URDF and edits of models, beside MuJoCo
urdf: python
	$(BIN)/python $(CONFORMANCE)/urdf.py $(wildcard crates/sim-mjcf/tests/robots/*.urdf) --count 500

edits: python
	$(BIN)/python $(CONFORMANCE)/spec_edits.py --count 200
	$(BIN)/python $(CONFORMANCE)/spec_edits.py --time

# derivatives of a step beside MuJoCo: differences, exact ones, parameters, cost
derivatives: python
	$(BIN)/python -W ignore $(CONFORMANCE)/derivatives.py $(wildcard $(CORPUS))

# dm_control $(DM_CONTROL), unmodified, in an environment of its own
DM_CONTROL := 1.0.37
DM_ENV := .venv-dm

dm-control: python $(DM_ENV)/ready
	$(DM_ENV)/bin/python $(CONFORMANCE)/dm_control_suite.py
	$(DM_ENV)/bin/python $(CONFORMANCE)/dm_control_tests.py

$(DM_ENV)/ready: Makefile
	$(PYTHON) -m venv $(DM_ENV)
	$(DM_ENV)/bin/pip install --quiet --disable-pip-version-check mujoco==$(MUJOCO) numpy pytest absl-py \
		dm-env dm-tree labmaze lxml protobuf pyparsing requests setuptools scipy tqdm glfw pyopengl \
		etils importlib_resources mock pillow h5py
	$(DM_ENV)/bin/pip install --quiet --disable-pip-version-check --no-deps dm_control==$(DM_CONTROL)
	echo '$(abspath crates/sim-python/python)' > "$$($(DM_ENV)/bin/python -c \
		'import sysconfig; print(sysconfig.get_path("purelib"))')/cortenforge.pth"
	touch $@

# Chromium without a window, driven by the standard library of Python; installed where that is possible
BROWSER := command -v chromium || command -v chromium-browser || command -v google-chrome
viewer-test:
	@$(BROWSER) > /dev/null || { [ "$$(id -u)" = 0 ] && command -v apt-get > /dev/null && apt-get update -qq && \
		apt-get install -y -qq --no-install-recommends chromium > /dev/null; } || true
	@if $(BROWSER) > /dev/null; then \
		cargo build --release --quiet -p cortenforge-cli && \
		$(PYTHON) crates/sim-viewer/tests/browser/run.py target/release/cortenforge; \
	else \
		echo 'no Chromium, and no way to install it: the tests of the viewer in a browser are left out'; \
	fi

# what the viewer takes of a core and of memory, and how soon the first picture is there
viewer-cost:
	cargo build --release --quiet -p cortenforge-cli
	$(PYTHON) crates/sim-viewer/tests/browser/cost.py target/release/cortenforge --seconds $(VIEWER_SECONDS)
VIEWER_SECONDS ?= 60

# MuJoCo draws by software OpenGL, in the same process
render-truth: python
	@ldconfig -p | grep -q libOSMesa || { [ "$$(id -u)" = 0 ] && apt-get update -qq && \
		apt-get install -y -qq --no-install-recommends libosmesa6 > /dev/null; }
	$(BIN)/pip install --quiet --disable-pip-version-check pyopengl
	$(BIN)/python $(CONFORMANCE)/render_truth.py $(wildcard $(CORPUS)) --scenes --check
	$(BIN)/python $(CONFORMANCE)/render_truth.py $(wildcard $(CORPUS)) --threads

docs: python
	$(BIN)/python docs/reference.py --write

# before a change that must keep every bit, and after it
HASHES ?= target/hashes.txt
hashes: python
	$(BIN)/python $(CONFORMANCE)/trajectory_hashes.py models $(wildcard $(CORPUS)) \
		$(if $(wildcard $(HASHES)),--against,--write) '$(HASHES)'

picture:
	cargo run --release -p cortenforge-cli -- render docs/picture.xml -o docs/picture.png --size 800x400 --time 0.5

golden: python
	$(BIN)/python $(CONFORMANCE)/golden.py
	$(BIN)/python $(CONFORMANCE)/poses.py

wheel: $(VENV)/ready
	$(BIN)/python packaging/wheel.py

package: $(VENV)/ready
	$(PYTHON) packaging/crates.py
	$(BIN)/maturin sdist --manifest-path crates/sim-python/Cargo.toml --out target/wheels

# the same command for three processors; it needs qemu-user and a cross linker for ARM
portable:
	$(PYTHON) packaging/portable.py

RAY_ENV := .venv-ray
ray: python $(RAY_ENV)/ready
	$(RAY_ENV)/bin/python -W ignore crates/sim-python/tests/distributed/two_nodes.py 2> target/ray.log

$(RAY_ENV)/ready: Makefile
	$(PYTHON) -m venv $(RAY_ENV)
	$(RAY_ENV)/bin/pip install --quiet --disable-pip-version-check ray numpy gymnasium
	echo '$(abspath crates/sim-python/python)' > "$$($(RAY_ENV)/bin/python -c \
		'import sysconfig; print(sysconfig.get_path("purelib"))')/cortenforge.pth"
	touch $@

bench-vector: python
	$(BIN)/python $(CONFORMANCE)/bench_vector.py

# cargo knows better than make what has changed
python: $(VENV)/ready
	VIRTUAL_ENV='$(abspath $(VENV))' $(BIN)/maturin develop --release --quiet \
		--manifest-path crates/sim-python/Cargo.toml

$(VENV)/ready: Makefile
	$(PYTHON) -m venv $(VENV)
	$(BIN)/pip install --quiet --disable-pip-version-check \
		mujoco==$(MUJOCO) numpy pytest mypy basedpyright maturin gymnasium glfw imageio absl-py
	# its vector environments alone: agents would need PyTorch
	$(BIN)/pip install --quiet --disable-pip-version-check --no-deps stable-baselines3 cloudpickle
	touch $@

$(NEWEST)/ready: Makefile
	$(PYTHON) -m venv $(NEWEST)
	$(NEWEST)/bin/pip install --quiet --disable-pip-version-check --upgrade mujoco numpy
	touch $@

ATTACKS ?= 300
attack: python
	$(BIN)/python $(CONFORMANCE)/attack.py --count $(ATTACKS)

# The package with debug assertions, overflow checks and the address sanitizer of the compiler, in a
# folder of its own. The sanitizer is a feature of nightly compilers, which RUSTC_BOOTSTRAP opens in a
# stable one; its runtime is that of the C compiler, which the interpreter has to load first.
# One test is left out: it fills the addresses that it may use, and the sanitizer takes them all.
SANITIZED := target/sanitized
TARGET := $(shell rustc -vV | sed -n 's/^host: //p')
CHECKED := -Zsanitizer=address -Zexternal-clangrt -Cdebug-assertions -Coverflow-checks -Copt-level=1 \
	-Cforce-frame-pointers
sanitize: $(VENV)/ready
	PYO3_PYTHON='$(abspath $(BIN)/python)' RUSTC_BOOTSTRAP=1 RUSTFLAGS='$(CHECKED)' \
		CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
		cargo rustc --release -p sim-python --lib --crate-type cdylib --target $(TARGET) \
		--target-dir $(SANITIZED) -- -Clink-arg=-Wl,-z,undefs
	rm -rf $(SANITIZED)/package && mkdir -p $(SANITIZED)/package
	cp -r crates/sim-python/python/cortenforge $(SANITIZED)/package/
	cp $(SANITIZED)/$(TARGET)/release/lib_native.so $(SANITIZED)/package/cortenforge/_native.abi3.so
	LD_PRELOAD=$$($(CC) -print-file-name=libasan.so) ASAN_OPTIONS=detect_leaks=0:allocator_may_return_null=1 \
		PYTHONMALLOC=malloc PYTHONPATH='$(abspath $(SANITIZED)/package)' \
		$(BIN)/python -m pytest -q crates/sim-python/tests $(SANITIZE_OPTIONS) \
		--deselect tests/test_hardening.py::test_a_failed_allocation_is_an_exception

clean:
	rm -rf target $(VENV) $(NEWEST) $(DM_ENV)
