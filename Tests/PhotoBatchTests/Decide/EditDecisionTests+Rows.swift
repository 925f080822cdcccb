@testable import PhotoBatch

extension EditDecisionTests {
  /// The facts about a photo's edits, written by hand, with the expected decisions.
  static let rows: [Row] = [
    // The stack is empty, or the recipe's adjustment is in another stack.
    Row("the main stack is empty", facts([]), "added from original"),
    Row("the variant's stack is empty", facts([], variant: true), "added from original"),
    Row(
      "the variant's stack is empty, the main stack has a rendition",
      facts([], main: main, variant: true), "added from main.jpg"),
    Row("the stack is empty, --previous replace", facts([], .replace), "added from original"),
    Row("the stack is empty, --previous stack", facts([], .stack), "added from original"),
    Row("the stack is empty, --previous skip", facts([], .skip), "added from original"),
    Row("the stack is empty, --previous fail", facts([], .fail), "added from original"),
    Row("the recipe's edit is in another stack", facts([], elsewhere: .newest), "other-variant"),
    Row(
      "the recipe's edit is in another stack, --previous replace",
      facts([], elsewhere: .newest, .replace),
      "added from original, moved"),
    Row(
      "the recipe's edit is below others in another stack, --previous replace",
      facts([], elsewhere: .belowOthers, .replace),
      "other-variant"),
    Row(
      "the recipe's edit is in another stack, this stack has another recipe's edit",
      facts([other()], elsewhere: .newest),
      "other-variant"),
    Row(
      "the recipe's edit is in this stack and in another",
      facts([ours()], variant: true, elsewhere: .newest),
      "up-to-date"),
    // The recipe's adjustment is up to date.
    Row("the recipe's edit has the same settings", facts([ours()]), "up-to-date"),
    Row("same settings, --previous replace", facts([ours()], .replace), "up-to-date"),
    Row("same settings, --previous stack", facts([ours()], .stack), "up-to-date"),
    Row("same settings, --previous skip", facts([ours()], .skip), "up-to-date"),
    Row("same settings, --previous fail", facts([ours()], .fail), "up-to-date"),
    Row(
      "same settings, the photo has own settings", facts([ours(overrides: true)]), "up-to-date"),
    Row(
      "same settings, on another recipe's edit", facts([other(), ours(on: below)]), "up-to-date"),
    Row(
      "same settings, below another recipe's edit", facts([ours(), other(on: top, current: old)]),
      "up-to-date"),
    Row(
      "same settings, below another recipe's edit with a missing rendition",
      facts([ours(), other(on: top, current: old, .missing)]), "up-to-date"),
    Row(
      "same settings, between the edits of two other recipes",
      facts([other(), ours(on: below), other(on: top, current: old)]),
      "up-to-date"),
    Row(
      "same settings, in a variant that starts from the main stack",
      facts([ours(on: main)], main: main, variant: true),
      "up-to-date"),
    Row(
      "same settings, above another program's edit", facts([foreign(below), ours(on: below)]),
      "up-to-date"),
    Row(
      "same settings, below another program's edit", facts([ours(), foreign(below)]), "up-to-date"),
    Row(
      "same settings, rendered by an older revision of phbatch", facts([ours(old: true)]),
      "up-to-date"),
    Row(
      "same settings, rendered by an older revision of phbatch, --refresh",
      facts([ours(old: true)], refreshes: true),
      "resumed 0 from original"),
    Row("same settings, --refresh", facts([ours()], refreshes: true), "up-to-date"),
    // The user has reverted the recipe's adjustment.
    Row("the recipe's edit was reverted", facts([], reverted: true), "reverted"),
    Row(
      "the recipe's edit was reverted, another recipe's edit remains",
      facts([other()], reverted: true), "reverted"),
    Row(
      "the recipe's edit was reverted, --redo", facts([], reverted: true, redoes: true),
      "added from original"),
    Row(
      "the recipe's edit was reverted, --previous replace", facts([], reverted: true, .replace),
      "reverted"),
    Row(
      "the recipe's edit was reverted and later rendered again", facts([ours()], reverted: true),
      "up-to-date"),
    Row(
      "the recipe's edit was reverted, an older one of the recipe remains",
      facts([ours("old")], reverted: true), "reverted"),
    Row(
      "the recipe's edit was reverted, an older one of the recipe remains, --redo",
      facts([ours("old")], reverted: true, redoes: true), "resumed 0 from original"),
    Row(
      "the recipe's edit was reverted, and the photo has new settings that no run has rendered",
      facts([pending(ours("old"))], reverted: true), "resumed 0 from original"),
    Row(
      "the recipe's edit was reverted, one with the same settings remains, without its rendition",
      facts([ours("same", .missing)], reverted: true), "resumed 0 from original"),
    // The recipe's adjustment is stale, so it is resumed: rendered again in its place.
    Row("the settings changed", facts([ours("old")]), "resumed 0 from original"),
    Row(
      "the settings changed, the photo has its own settings", facts([ours("old", overrides: true)]),
      "resumed 0 from original"),
    Row(
      "the settings changed, above another recipe's edit",
      facts([other(), ours("old", on: below)]),
      "resumed 1 from below.jpg on 0"),
    Row("the rendition is missing", facts([ours("same", .missing)]), "resumed 0 from original"),
    Row(
      "the rendition is missing, the settings changed", facts([ours("old", .missing)]),
      "resumed 0 from original"),
    Row(
      "the main stack's rendition changed, in a variant",
      facts([ours(on: old)], main: main, variant: true),
      "resumed 0 from main.jpg"),
    Row(
      "the main stack has a rendition now, in a variant",
      facts([ours()], main: main, variant: true), "resumed 0 from main.jpg"),
    Row(
      "the main stack has no rendition any more, in a variant",
      facts([ours(on: main)], variant: true), "resumed 0 from original"),
    Row(
      "the rendition of the edit below changed", facts([other(current: main), ours(on: below)]),
      "resumed 1 from main.jpg on 0"),
    Row(
      "the settings changed, above another program's edit",
      facts([foreign(below), ours("old", on: below)]),
      "resumed 1 from below.jpg on 0"),
    Row("the original changed", facts([ours()], originalIsSame: false), "resumed 0 from original"),
    Row(
      "the original changed, above another recipe's edit",
      facts([other(), ours(on: below)], originalIsSame: false), "resumed 1 from below.jpg on 0'"),
    // An edit inside the stack is resumed in place, and the edits above it are rendered again.
    Row(
      "the settings changed, below another recipe's edit", facts([ours("old"), other(on: top)]),
      "resumed 0 from original below 1'"),
    Row(
      "the settings changed, below the edits of two other recipes",
      facts([ours("old"), other(on: top), other(on: below)]),
      "resumed 0 from original below 1' 2'"),
    Row(
      "the settings changed, between the edits of two other recipes",
      facts([other(), ours("old", on: below), other(on: top)]),
      "resumed 1 from below.jpg on 0 below 2'"),
    Row(
      "the rendition is missing, below another recipe's edit",
      facts([ours("same", .missing), other(on: top)]),
      "resumed 0 from original below 1'"),
    Row(
      "the settings changed, the edit above cannot be rendered again",
      facts([ours("old"), other(on: top, obstacle: gone)]),
      "file-missing"),
    Row(
      "the settings changed, the rendition above was changed by hand",
      facts([ours("old"), other(on: top, .modified)]),
      "modified"),
    Row(
      "the settings changed, the rendition above was changed by hand, --on-modified overwrite",
      facts([ours("old"), other(on: top, .modified)], overwrites: true),
      "resumed 0 from original below 1'"),
    Row(
      "the settings changed, the rendition above is missing",
      facts([ours("old"), other(on: top, .missing)]),
      "resumed 0 from original below 1'"),
    Row(
      "the original changed, below another recipe's edit",
      facts([ours(), other(on: top)], originalIsSame: false),
      "resumed 0 from original below 1'"),
    Row(
      "the recipe's edit is twice in the stack, the newer one is resumed",
      facts([ours("old"), ours("old", on: top)]),
      "resumed 1 from top.jpg on 0"),
    // The adjustment is added on top of the stack.
    Row("the stack has another recipe's edit", facts([other()]), "added from below.jpg on 0"),
    Row(
      "the stack has the edits of two other recipes",
      facts([other(), other(on: below, current: top)]),
      "added from top.jpg on 0 1"),
    Row(
      "the stack has another program's edit without an image", facts([foreign]),
      "added from original on 0"),
    Row(
      "the stack has another program's edit with an image", facts([foreign(below)]),
      "added from below.jpg on 0"),
    Row(
      "the stack has another recipe's edit, --previous stack", facts([other()], .stack),
      "added from below.jpg on 0"),
    Row(
      "the settings changed, --previous stack", facts([ours("old")], .stack),
      "added from top.jpg on 0"),
    Row(
      "no run has rendered the settings, --previous stack",
      facts([ours("", current: nil)], .stack), "resumed 0 from original"),
    Row(
      "no run has rendered the settings, below another program's edit, --previous stack",
      facts([ours("", current: nil), foreign(below)], .stack), "added from below.jpg on 0 1"),
    Row(
      "the settings changed, below another recipe's edit, --previous stack",
      facts([ours("old"), other(on: top)], .stack),
      "added from below.jpg on 0 1"),
    Row(
      "the rendition of another recipe's edit is missing", facts([other(.missing)]),
      "added from below.jpg on 0'"),
    Row(
      "the renditions of two other recipes' edits are missing",
      facts([other(.missing), other(on: below, current: top, .missing)]),
      "added from top.jpg on 0' 1'"),
    Row(
      "the rendition of another recipe's edit is missing and cannot be rendered",
      facts([other(.missing, obstacle: gone)]),
      "base-missing"),
    Row(
      "the image of another program's edit is missing", facts([foreign(below, .missing)]),
      "base-missing"),
    Row(
      "the settings changed, the image of another program's edit is missing",
      facts([foreign(below, .missing), ours("old", on: below)]), "base-missing"),
    Row(
      "another recipe's rendition was changed by hand, --on-modified overwrite",
      facts([other(.modified)], overwrites: true),
      "added from below.jpg on 0'"),
    Row(
      "the base of the lowest edit is missing, the settings changed",
      facts([ours("old", on: below)]),
      "base-missing"),
    Row(
      "the base of the lowest edit is missing, same settings", facts([ours(on: below)]),
      "up-to-date"),
    Row(
      "the base and the rendition of the lowest edit are missing",
      facts([other(on: old, .missing)]), "base-missing"),
    Row(
      "the base of the lowest edit is missing, its rendition exists",
      facts([other(on: old)]), "added from below.jpg on 0"),
    Row(
      "the base of the lowest edit is missing, --previous replace",
      facts([ours("old", on: below)], .replace),
      "added from original"),
    // The adjustment would have to be rendered again, but another program's edit lies above it.
    Row(
      "settings changed, below another program's edit", facts([ours("old"), foreign]), "buried"),
    Row(
      "the rendition is missing, below another program's edit",
      facts([ours("same", .missing), foreign(below)]),
      "buried"),
    Row(
      "the settings changed, below the edits of another recipe and another program",
      facts([ours("old"), other(on: top), foreign(main)]), "buried"),
    Row(
      "the settings changed, below another recipe's edit, --previous replace",
      facts([ours("old"), other(on: top)], .replace),
      "added from original"),
    // Another program's edit was found beside the photo, or is already in the stack.
    Row(
      "another program's edit was found before any edit", facts([], found: [below]),
      "added from below.jpg on found 0"),
    Row(
      "another program's edit without an image was found before any edit", facts([], found: [nil]),
      "added from original on found 0"),
    Row(
      "two edits by other programs were found before any edit", facts([], found: [nil, below]),
      "added from below.jpg on found 0 found 1"),
    Row(
      "another program's edit was found after the recipe's edit", facts([ours()], found: [below]),
      "foreign-newer"),
    Row(
      "another program's edit was found after the recipe's edit, --on-foreign ignore",
      facts([ours()], found: [below], onForeign: .ignore), "up-to-date"),
    Row(
      "another program's edit was found after the recipe's edit, the settings changed",
      facts([ours("old")], found: [below]),
      "resumed 0 from original"),
    Row(
      "another program's edit was found after the recipe's edit, --on-foreign stack",
      facts([ours()], found: [below], onForeign: .stack),
      "added from below.jpg on 0 found 0"),
    Row(
      "another program's edit was found after the recipe's edit, --on-foreign replace",
      facts([ours()], found: [below], onForeign: .replace),
      "added from below.jpg on found 0"),
    Row(
      "another program's edit is kept with --previous replace",
      facts([foreign(below), ours("old")], .replace),
      "added from below.jpg on 0"),
    Row(
      "the image of another program's edit changed",
      facts([foreign(below, .modified), ours(on: below)]),
      "original-changed"),
    Row(
      "the image of another program's edit changed, --accept-changed",
      facts([foreign(below, .modified), ours(on: below)], accepts: true),
      "resumed 1 from below.jpg on 0*"),
    Row(
      "the image of another program's edit is missing below the recipe's edit",
      facts([foreign(below, .missing), ours(on: below)]),
      "base-missing"),
    Row(
      "the image of another program's edit is missing, --on-foreign ignore",
      facts([foreign(below, .missing), ours(on: below)], onForeign: .ignore), "up-to-date"),
    Row(
      "the image of another program's edit is missing, --on-foreign replace",
      facts([foreign(below, .missing), ours(on: below)], onForeign: .replace),
      "added from original"),
    Row(
      "the settings file of another program's edit changed",
      facts([foreign(nil, file: .changed), ours()], found: [nil]), "foreign-newer"),
    Row(
      "the settings file of another program's edit changed, --on-foreign ignore",
      facts([foreign(nil, file: .changed), ours()], found: [nil], onForeign: .ignore),
      "up-to-date"),
    Row(
      "the settings file of another program's edit changed, --on-foreign replace",
      facts([foreign(nil, file: .changed), ours()], found: [nil], onForeign: .replace),
      "added from original on found 0"),
    Row(
      "settings file and image of another program's edit changed, --on-foreign replace",
      facts(
        [foreign(below, .modified, file: .changed), ours(on: below)], found: [main],
        onForeign: .replace), "added from main.jpg on found 0"),
    Row(
      "settings file and image of another program's edit changed, --on-foreign stack",
      facts(
        [foreign(below, .modified, file: .changed), ours(on: below)], found: [main],
        onForeign: .stack), "added from main.jpg on 0 1 found 0"),
    Row(
      "the settings file of another program's edit changed, the recipe's settings changed",
      facts([foreign(nil, file: .changed), ours("old")], found: [nil]),
      "resumed 1 from original on 0"),
    Row(
      "the settings file of another program's edit is missing",
      facts([foreign(nil, file: .gone), ours()]), "foreign-newer"),
    Row(
      "the settings file of another program's edit is missing, --on-foreign ignore",
      facts([foreign(nil, file: .gone), ours()], onForeign: .ignore), "up-to-date"),
    Row(
      "the settings file of another program's edit is missing, --on-foreign replace",
      facts([foreign(below, file: .gone), ours(on: below)], onForeign: .replace),
      "added from original"),
    // The policies of `--previous` for stacks that the run would change.
    Row("the settings changed, --previous skip", facts([ours("old")], .skip), "skipped"),
    Row("the settings changed, --previous fail", facts([ours("old")], .fail), "edited"),
    Row("the stack has another recipe's edit, --previous skip", facts([other()], .skip), "skipped"),
    Row("the stack has another recipe's edit, --previous fail", facts([other()], .fail), "edited"),
    Row(
      "the settings changed, --previous replace", facts([ours("old")], .replace),
      "added from original"),
    Row(
      "the stack has another recipe's edit, --previous replace", facts([other()], .replace),
      "added from original"),
    Row(
      "the main stack's rendition changed, in a variant, --previous replace",
      facts([ours(on: old)], main: main, variant: true, .replace),
      "added from main.jpg"),
    // The user has changed renditions by hand.
    Row("the rendition was changed by hand", facts([ours("same", .modified)]), "modified"),
    Row(
      "the rendition was changed by hand, the settings changed", facts([ours("old", .modified)]),
      "modified"),
    Row(
      "the rendition was changed by hand, --on-modified overwrite",
      facts([ours("same", .modified)], overwrites: true),
      "resumed 0 from original"),
    Row("another recipe's rendition was changed by hand", facts([other(.modified)]), "modified"),
    Row(
      "the rendition below was changed by hand, same settings",
      facts([other(.modified), ours(on: below)]), "up-to-date"),
    Row(
      "the rendition below was changed by hand, the settings changed",
      facts([other(.modified), ours("old", on: below)]), "modified"),
    Row(
      "the original changed, the photo has its own settings",
      facts([ours(overrides: true)], originalIsSame: false),
      "original-changed"),
    Row(
      "the original changed, the photo has its own settings, --accept-changed",
      facts([ours(overrides: true)], originalIsSame: false, accepts: true),
      "resumed 0 from original"),
    Row(
      "the original changed, the stack has another program's edit",
      facts([foreign], originalIsSame: false), "original-changed"),
    Row(
      "the original changed, no own settings, --previous skip",
      facts([ours()], originalIsSame: false, .skip),
      "skipped"),
  ]
}
