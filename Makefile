# make alone lists the targets.
SHELL := /bin/bash
PREFIX ?= /usr/local
# For the demo and the tests: file by file, so that all cores compile, Swift not optimized, and
# nothing for debuggers.
demo test lint: export PHBATCH_QUICK_BUILD := 1
TESTING := -c release -Xswiftc -enable-testing -Xswiftc -no-whole-module-optimization \
  -Xswiftc -enable-batch-mode -Xswiftc -driver-batch-size-limit -Xswiftc 1000 \
  -Xswiftc -gnone -Xcc -g0 \
  --scratch-path .build/testing
TESTED := .build/testing/release/phbatch
# What is installed and measured: optimized as a whole.
PHBATCH := .build/release/phbatch
VIDEO := .build/release/phbatch-video
# With Swift's libraries inside, and no symbols: an update of Swift breaks no cron job.
STANDALONE := --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --gc-sections -Xlinker -s \
  -Xlinker --no-export-dynamic -Xlinker --icf=safe -Xlinker -z -Xlinker pack-relative-relocs \
  -Xlinker -T -Xlinker scripts/release.ld
# In batches: with --parallel, swift format opens all files at once, more than a user may.
SWIFT_FILES := find Sources Tests Package.swift -name '*.swift' -print0 | xargs -0 -n 200 -P 4
LINTS := $(addprefix lint-,build format rooms tools)
CHECKS := $(addprefix check-,documents slurm schedulers schema reports reference)
PHOTOGRAPH := demo/mate-backgrounds/usr/share/backgrounds/mate/nature/Garden.jpg

help: ## list the targets
	@grep -hE '^[a-z]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | expand -t 12

demo: packages ## install what is needed, build, and run the main job on real photos
	@scripts/build $(TESTING) --product phbatch
	@scripts/demo $(TESTED)

test: packages ## install what is needed, build, and run all checks and tests
	@scripts/packages test
	@$(MAKE) --no-print-directory lint
	@scripts/tests $(TESTING)
	@# For the schemas and the reports, before they run beside each other.
	@scripts/python -c ''
	@$(MAKE) --no-print-directory --jobs=3 --output-sync --keep-going $(CHECKS)
	@scripts/python -r Tests/studio/requirements.txt Tests/studio/check.py $(TESTED)
	@[ -z "$$PHBATCH_CORPUS" ] || scripts/python -r Tests/formats/requirements.txt \
	  Tests/formats/check.py $(TESTED)
	@[ -z "$$PHBATCH_CORPUS" ] || scripts/python -r Tests/raw/requirements.txt \
	  Tests/raw/check.py $(TESTED)
	@[ -z "$$PHBATCH_CORPUS" ] || scripts/python -r Tests/formats/requirements.txt \
	  Tests/formats/hdr.py $(TESTED)
	@[ -z "$$PHBATCH_CORPUS" ] || scripts/python -r Tests/formats/requirements.txt \
	  Tests/formats/aux.py $(TESTED)
	@[ -z "$$PHBATCH_CORPUS" ] || scripts/python Tests/live/check.py $(TESTED)

# Run beside each other: some of them wait most of the time.
check-documents:
	@scripts/documents $(TESTED)
check-slurm:
	@scripts/slurm $(TESTED)
check-schedulers:
	@scripts/python -r Tests/schedulers/requirements.txt Tests/schedulers/check.py $(TESTED)
check-schema:
	@scripts/python Tests/schema/check.py $(TESTED)
check-reports:
	@scripts/python Tests/reports/check.py $(TESTED)
check-reference:
	@scripts/photographs
	@scripts/reference $(TESTED) $(PHOTOGRAPH) .build/reference

build: packages ## build for debugging
	@scripts/build

release: packages ## build the command, which needs no Swift to run, and the schema of recipes
	@scripts/build -c release $(STANDALONE) --product phbatch
	@$(PHBATCH) schema > Recipes/recipe.schema.json

video: packages ## build phbatch-video, which edits films, beside the command
	@scripts/build -c release $(STANDALONE) --product phbatch-video

lint: packages ## check the format, the rooms and the imports, with the build of the tests
	@$(MAKE) --no-print-directory --jobs=2 $(LINTS)

# Run beside each other, because the build does not always use all cores.
lint-build:
	@scripts/build $(TESTING) --build-tests --explicit-target-dependency-import-check error
lint-format:
	@$(SWIFT_FILES) swift format lint --strict
lint-rooms:
	@scripts/rooms
lint-tools:
	@clang -fsyntax-only -Wall -Werror $$(pkg-config --cflags vips) \
	  -ISources/PixelKernels/include Benchmarks/tools/*.c
	@Benchmarks/soak --check

format: ## format the sources
	$(SWIFT_FILES) swift format --in-place

docs: release ## write the reference of the filters, with pictures, to .build/reference
	@scripts/photographs
	scripts/reference $(PHBATCH) $(PHOTOGRAPH) .build/reference

pictures: release ## render the pictures of the README and of the documents anew
	scripts/python -r Tests/raw/requirements.txt scripts/pictures $(PHBATCH)

bench: release ## measure phbatch and its peers; PHOTOS=folder, ONLY=task
	@scripts/packages bench
	@scripts/build -c release $(STANDALONE) --product InProcess
	@scripts/build -c release $(STANDALONE) --product LivePictures
	Benchmarks/run --megapixels $(if $(PHOTOS),8 "$(PHOTOS)",3) $(if $(ONLY),--only $(ONLY))

soak: packages ## run the long volumes; ONLY=part for one of them
	@scripts/packages soak
	Benchmarks/soak $(ONLY)

package: release video ## make Debian packages of the command and of phbatch-video
	@scripts/packages package
	@scripts/package-video $(PHBATCH) $(VIDEO)
	@scripts/package $(PHBATCH)

install: release ## install the command below PREFIX (default /usr/local)
	install -D -m 755 $(PHBATCH) $(DESTDIR)$(PREFIX)/bin/phbatch
	[ ! -x $(VIDEO) ] || install -D -m 755 $(VIDEO) $(DESTDIR)$(PREFIX)/bin/phbatch-video

uninstall: ## remove it from there
	rm -f $(DESTDIR)$(PREFIX)/bin/phbatch $(DESTDIR)$(PREFIX)/bin/phbatch-video

clean: ## remove everything that was built
	rm -rf .build demo

packages:
	@scripts/packages build

.PHONY: help demo docs pictures test build release video lint format bench soak package install uninstall clean packages $(LINTS) $(CHECKS)
