@testable import PhotoBatch

extension EditDecisionTests {
  /// The facts about a photo's edits, written by hand, with the expected decisions.
  static let rows: [Row] = [
    // The stack is empty, or the recipe's adjustment is in another stack.
    Row("empty main stack", facts([]), "added from original"),
    Row("empty variant", facts([], variant: true), "added from original"),
    Row(
      "empty variant of the current", facts([], main: main, variant: true), "added from main.jpg"),
    Row("empty, replace", facts([], .replace), "added from original"),
    Row("empty, stack", facts([], .stack), "added from original"),
    Row("empty, skip", facts([], .skip), "added from original"),
    Row("empty, fail", facts([], .fail), "added from original"),
    Row("handled elsewhere", facts([], elsewhere: .newest), "other-variant"),
    Row(
      "handled elsewhere, replace", facts([], elsewhere: .newest, .replace),
      "added from original, moved"),
    Row(
      "handled elsewhere below others, replace", facts([], elsewhere: .belowOthers, .replace),
      "other-variant"),
    Row(
      "handled elsewhere, another's edit here", facts([other()], elsewhere: .newest),
      "other-variant"),
    Row(
      "in this stack and elsewhere", facts([ours()], variant: true, elsewhere: .newest),
      "up-to-date"),
    // The recipe's adjustment is up to date.
    Row("same", facts([ours()]), "up-to-date"),
    Row("same under replace", facts([ours()], .replace), "up-to-date"),
    Row("same under stack", facts([ours()], .stack), "up-to-date"),
    Row("same under skip", facts([ours()], .skip), "up-to-date"),
    Row("same under fail", facts([ours()], .fail), "up-to-date"),
    Row("same with overrides", facts([ours(overrides: true)]), "up-to-date"),
    Row("same on top of another", facts([other(), ours(on: below)]), "up-to-date"),
    Row("same below another", facts([ours(), other(on: top, current: old)]), "up-to-date"),
    Row(
      "same below another whose rendition is gone",
      facts([ours(), other(on: top, current: old, .missing)]), "up-to-date"),
    Row(
      "same between others", facts([other(), ours(on: below), other(on: top, current: old)]),
      "up-to-date"),
    Row(
      "same variant of the current", facts([ours(on: main)], main: main, variant: true),
      "up-to-date"),
    Row("same on a foreign edit", facts([foreign(below), ours(on: below)]), "up-to-date"),
    Row("same below a foreign edit", facts([ours(), foreign(below)]), "up-to-date"),
    Row("same by an older revision", facts([ours(old: true)]), "up-to-date"),
    Row(
      "same by an older revision, refresh", facts([ours(old: true)], refreshes: true),
      "resumed 0 from original"),
    Row("same, refresh", facts([ours()], refreshes: true), "up-to-date"),
    // The user has reverted the recipe's adjustment.
    Row("reverted", facts([], reverted: true), "reverted"),
    Row("reverted, another's edit left", facts([other()], reverted: true), "reverted"),
    Row("reverted, redo", facts([], reverted: true, redoes: true), "added from original"),
    Row("reverted, replace", facts([], reverted: true, .replace), "reverted"),
    Row("reverted once, made again since", facts([ours()], reverted: true), "up-to-date"),
    // The recipe's adjustment is stale, so it is resumed: rendered again in its place.
    Row("changed settings", facts([ours("old")]), "resumed 0 from original"),
    Row(
      "changed settings, overrides", facts([ours("old", overrides: true)]),
      "resumed 0 from original"),
    Row(
      "changed settings on another", facts([other(), ours("old", on: below)]),
      "resumed 1 from below.jpg on 0"),
    Row("missing rendition", facts([ours("same", .missing)]), "resumed 0 from original"),
    Row(
      "missing rendition, changed settings", facts([ours("old", .missing)]),
      "resumed 0 from original"),
    Row(
      "the current changed", facts([ours(on: old)], main: main, variant: true),
      "resumed 0 from main.jpg"),
    Row("the current came", facts([ours()], main: main, variant: true), "resumed 0 from main.jpg"),
    Row("the current went", facts([ours(on: main)], variant: true), "resumed 0 from original"),
    Row(
      "the base below changed", facts([other(current: main), ours(on: below)]),
      "resumed 1 from main.jpg on 0"),
    Row(
      "changed settings on a foreign edit", facts([foreign(below), ours("old", on: below)]),
      "resumed 1 from below.jpg on 0"),
    Row("original changed", facts([ours()], originalIsSame: false), "resumed 0 from original"),
    Row(
      "original changed below another's edit",
      facts([other(), ours(on: below)], originalIsSame: false), "resumed 1 from below.jpg on 0'"),
    // An edit inside the stack is resumed in place, and the edits above it are rendered again.
    Row(
      "changed settings below another", facts([ours("old"), other(on: top)]),
      "resumed 0 from original below 1'"),
    Row(
      "changed settings below two", facts([ours("old"), other(on: top), other(on: below)]),
      "resumed 0 from original below 1' 2'"),
    Row(
      "changed settings between", facts([other(), ours("old", on: below), other(on: top)]),
      "resumed 1 from below.jpg on 0 below 2'"),
    Row(
      "missing rendition below another", facts([ours("same", .missing), other(on: top)]),
      "resumed 0 from original below 1'"),
    Row(
      "what stands on it cannot be replayed", facts([ours("old"), other(on: top, obstacle: gone)]),
      "file-missing"),
    Row(
      "what stands on it was modified", facts([ours("old"), other(on: top, .modified)]),
      "modified"),
    Row(
      "what stands on it was modified, overwrite",
      facts([ours("old"), other(on: top, .modified)], overwrites: true),
      "resumed 0 from original below 1'"),
    Row(
      "what stands on it is gone", facts([ours("old"), other(on: top, .missing)]),
      "resumed 0 from original below 1'"),
    Row(
      "original changed below another", facts([ours(), other(on: top)], originalIsSame: false),
      "resumed 0 from original below 1'"),
    Row(
      "twice in a stack: the newer", facts([ours("old"), ours("old", on: top)]),
      "resumed 1 from top.jpg on 0"),
    // The adjustment is added on top of the stack.
    Row("another's edit", facts([other()]), "added from below.jpg on 0"),
    Row(
      "another's edit on another's", facts([other(), other(on: below, current: top)]),
      "added from top.jpg on 0 1"),
    Row("a foreign sidecar alone", facts([foreign]), "added from original on 0"),
    Row("a foreign edit with an image", facts([foreign(below)]), "added from below.jpg on 0"),
    Row("another's edit, stack", facts([other()], .stack), "added from below.jpg on 0"),
    Row("changed settings, stack", facts([ours("old")], .stack), "added from top.jpg on 0"),
    Row(
      "changed settings below another, stack", facts([ours("old"), other(on: top)], .stack),
      "added from below.jpg on 0 1"),
    Row("another's edit is gone", facts([other(.missing)]), "added from below.jpg on 0'"),
    Row(
      "two others' edits are gone",
      facts([other(.missing), other(on: below, current: top, .missing)]),
      "added from top.jpg on 0' 1'"),
    Row(
      "another's edit is gone and cannot be made", facts([other(.missing, obstacle: gone)]),
      "base-missing"),
    Row("a foreign image is gone", facts([foreign(below, .missing)]), "base-missing"),
    Row(
      "changed settings, the foreign image is gone",
      facts([foreign(below, .missing), ours("old", on: below)]), "base-missing"),
    Row(
      "another's was modified, overwrite", facts([other(.modified)], overwrites: true),
      "added from below.jpg on 0'"),
    Row(
      "what the lowest started from is gone, changed settings", facts([ours("old", on: below)]),
      "base-missing"),
    Row(
      "what the lowest started from is gone, same settings", facts([ours(on: below)]), "up-to-date"),
    Row(
      "what the lowest started from is gone, as its rendition is",
      facts([other(on: old, .missing)]), "base-missing"),
    Row(
      "what the lowest started from is gone, its rendition is there",
      facts([other(on: old)]), "added from below.jpg on 0"),
    Row(
      "what the lowest started from is gone, replace", facts([ours("old", on: below)], .replace),
      "added from original"),
    // The adjustment would have to be rendered again, but another program's edit lies above it.
    Row("changed settings below a foreign edit", facts([ours("old"), foreign]), "buried"),
    Row(
      "missing rendition below a foreign edit", facts([ours("same", .missing), foreign(below)]),
      "buried"),
    Row(
      "changed settings below another and a foreign edit",
      facts([ours("old"), other(on: top), foreign(main)]), "buried"),
    Row(
      "changed settings below another, replace", facts([ours("old"), other(on: top)], .replace),
      "added from original"),
    // Another program's edit was found beside the photo, or is already in the stack.
    Row("found first", facts([], found: [below]), "added from below.jpg on found 0"),
    Row("found first, without an image", facts([], found: [nil]), "added from original on found 0"),
    Row(
      "two found first", facts([], found: [nil, below]), "added from below.jpg on found 0 found 1"),
    Row("found later", facts([ours()], found: [below]), "foreign-newer"),
    Row("found later, ignored", facts([ours()], found: [below], onForeign: .ignore), "up-to-date"),
    Row(
      "found later, changed settings", facts([ours("old")], found: [below]),
      "resumed 0 from original"),
    Row(
      "found later, stack", facts([ours()], found: [below], onForeign: .stack),
      "added from below.jpg on 0 found 0"),
    Row(
      "found later, replace", facts([ours()], found: [below], onForeign: .replace),
      "added from below.jpg on found 0"),
    Row(
      "replace keeps what another program made", facts([foreign(below), ours("old")], .replace),
      "added from below.jpg on 0"),
    Row(
      "the foreign image changed", facts([foreign(below, .modified), ours(on: below)]),
      "original-changed"),
    Row(
      "the foreign image changed, accepted",
      facts([foreign(below, .modified), ours(on: below)], accepts: true),
      "resumed 1 from below.jpg on 0*"),
    Row(
      "the foreign image is gone", facts([foreign(below, .missing), ours(on: below)]),
      "base-missing"),
    Row(
      "the foreign image is gone, ignored",
      facts([foreign(below, .missing), ours(on: below)], onForeign: .ignore), "up-to-date"),
    Row(
      "the foreign image is gone, replace",
      facts([foreign(below, .missing), ours(on: below)], onForeign: .replace),
      "added from original"),
    Row(
      "the foreign file changed",
      facts([foreign(nil, file: .changed), ours()], found: [nil]), "foreign-newer"),
    Row(
      "the foreign file changed, ignored",
      facts([foreign(nil, file: .changed), ours()], found: [nil], onForeign: .ignore),
      "up-to-date"),
    Row(
      "the foreign file changed, replace",
      facts([foreign(nil, file: .changed), ours()], found: [nil], onForeign: .replace),
      "added from original on found 0"),
    Row(
      "the foreign file and image changed, replace",
      facts(
        [foreign(below, .modified, file: .changed), ours(on: below)], found: [main],
        onForeign: .replace), "added from main.jpg on found 0"),
    Row(
      "the foreign file and image changed, stack",
      facts(
        [foreign(below, .modified, file: .changed), ours(on: below)], found: [main],
        onForeign: .stack), "added from main.jpg on 0 1 found 0"),
    Row(
      "the foreign file changed, changed settings",
      facts([foreign(nil, file: .changed), ours("old")], found: [nil]),
      "resumed 1 from original on 0"),
    Row("the foreign file is gone", facts([foreign(nil, file: .gone), ours()]), "foreign-newer"),
    Row(
      "the foreign file is gone, ignored",
      facts([foreign(nil, file: .gone), ours()], onForeign: .ignore), "up-to-date"),
    Row(
      "the foreign file is gone, replace",
      facts([foreign(below, file: .gone), ours(on: below)], onForeign: .replace),
      "added from original"),
    // The policies of `--previous` for stacks that the run would change.
    Row("changed settings, skip", facts([ours("old")], .skip), "skipped"),
    Row("changed settings, fail", facts([ours("old")], .fail), "edited"),
    Row("another's edit, skip", facts([other()], .skip), "skipped"),
    Row("another's edit, fail", facts([other()], .fail), "edited"),
    Row("changed settings, replace", facts([ours("old")], .replace), "added from original"),
    Row("another's edit, replace", facts([other()], .replace), "added from original"),
    Row(
      "the current changed, replace", facts([ours(on: old)], main: main, variant: true, .replace),
      "added from main.jpg"),
    // A person has changed renditions by hand.
    Row("modified", facts([ours("same", .modified)]), "modified"),
    Row("modified, changed settings", facts([ours("old", .modified)]), "modified"),
    Row(
      "modified, overwrite", facts([ours("same", .modified)], overwrites: true),
      "resumed 0 from original"),
    Row("another's was modified", facts([other(.modified)]), "modified"),
    Row("modified below what is ours", facts([other(.modified), ours(on: below)]), "up-to-date"),
    Row(
      "modified below what is ours, changed settings",
      facts([other(.modified), ours("old", on: below)]), "modified"),
    Row(
      "original changed, overrides", facts([ours(overrides: true)], originalIsSame: false),
      "original-changed"),
    Row(
      "original changed, overrides, accepted",
      facts([ours(overrides: true)], originalIsSame: false, accepts: true),
      "resumed 0 from original"),
    Row(
      "original changed, foreign edit", facts([foreign], originalIsSame: false), "original-changed"),
    Row(
      "original changed, nothing of its own, skip", facts([ours()], originalIsSame: false, .skip),
      "skipped"),
  ]
}
