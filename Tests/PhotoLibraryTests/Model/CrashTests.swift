import PhotoLibrary
import SystemPackage
import TestRandom
import Testing

/// Simulates every crash of a commit, and every crash of the recovery from it, on a model of a file
/// system.
///
/// - Source: the method of SQLite's crash tests (sqlite.org/testing.html, section 3.3).
@Suite struct CrashTests {
  private typealias Change = Scenario.Change

  private static let firstRender = [
    Change("1.web.jpg", nil, "pixels 1"), Change("1.jpg.phbatch.json", nil, "sidecar 1"),
  ]
  private static let again = [
    Change("1.web.jpg", "pixels 1", "pixels 2"),
    Change("1.jpg.phbatch.json", "sidecar 1", "sidecar 2"),
  ]
  private static let reverted = [
    Change("1.web.jpg", "pixels 1", nil), Change("1.jpg.phbatch.json", "sidecar 1", nil),
  ]
  private static let kept = [
    Change("1.web.jpg", "painted over", "pixels 2", isKept: true),
    Change("1.jpg.phbatch.json", "sidecar 1", "sidecar 2"),
  ]
  /// Two photos with three changes each; one of the six changes creates a new file.
  private static let two = [
    [
      Change("1.web.jpg", "pixels 1", "pixels 2"), Change("1.big.jpg", nil, "new pixels"),
      Change("1.jpg.phbatch.json", "sidecar 1", "sidecar 2"),
    ],
    [
      Change("2.web.jpg", "pixels 3", "pixels 4"), Change("2.big.jpg", "pixels 5", "pixels 6"),
      Change("2.jpg.phbatch.json", "sidecar 3", "sidecar 4"),
    ],
  ]
  private static let small = [
    again,
    [Change("2.web.jpg", nil, "pixels 3"), Change("2.jpg.phbatch.json", nil, "sidecar 3")],
  ]

  private static let scenarios = [
    Scenario(name: "first render", photos: [firstRender]),
    Scenario(name: "render again", photos: [again]),
    Scenario(
      name: "render again, same sidecar",
      photos: [[again[0], Change("1.jpg.phbatch.json", "sidecar 1", "sidecar 1")]]),
    Scenario(name: "revert", photos: [reverted]),
    Scenario(name: "keep what is displaced", photos: [kept]),
    Scenario(name: "two photos, six files", photos: two),
    Scenario(name: "two photos, atomic", photos: two, isAtomic: true),
    Scenario(
      name: "three photos",
      photos: two + [
        [
          Change("3.web.jpg", "pixels 7", nil, isKept: true), Change("3.big.jpg", nil, "pixels 8"),
          Change("3.jpg.phbatch.json", "sidecar 5", "sidecar 6"),
        ]
      ]),
    Scenario(
      name: "conflict", photos: small, foreign: ["2.web.jpg": "somebody's"]),
    Scenario(
      name: "conflict, atomic", photos: small, isAtomic: true,
      foreign: ["2.web.jpg": "somebody's"]),
  ]

  private static func plain(_ scenario: Scenario) -> Scenario {
    var plain = scenario
    plain.weakening.isPlain = true
    return plain
  }

  /// Three variants of each scenario: unchanged, with full durability, and on a file system that
  /// supports only plain renames.
  ///
  /// The large scenarios, which have the most states, have one variant, and the scenario of three
  /// photos has none, unless all volumes are requested.
  private static let variants: [Scenario] = scenarios.flatMap { scenario in
    var full = scenario
    full.durability = .full
    if TestVolume.isWhole || scenario.photos.count == 1 {
      return [scenario, full, plain(scenario)]
    }
    if scenario.photos.count > 2 { return [] }
    return scenario.isAtomic && scenario.photos[0].count == 2 ? [scenario, full] : [scenario]
  }

  @Test func afterAnyCrashEachPhotoIsCompletelyOldOrCompletelyNew() throws {
    var total = Exploration()
    for scenario in Self.variants {
      let found = try scenario.explore()
      #expect(
        found.violations == [:],
        "\(scenario.name), \(scenario.durability), plain: \(scenario.weakening.isPlain)")
      total = total + found
    }
    print("crash model: \(total.states) states in \(Self.variants.count) scenarios, no violation")
    #expect(total.states >= (TestVolume.isWhole ? 10_000 : 2_000))
  }

  /// Another program writes to one of the files at each call of the commit, either into the
  /// existing file or by a new file.
  ///
  /// All crashes are simulated for each of these writes.
  @Test(arguments: [false, true])
  func writesOfAnotherProgramDuringACommitSurviveEveryCrash(isInPlace: Bool) throws {
    var total = Exploration()
    var count = 0
    for photo in [Self.again, Self.firstRender, Self.kept, Self.reverted] {
      for path in photo.map(\.path) {
        for call in stride(from: 1, through: 36, by: TestVolume.isWhole ? 1 : 6) {
          var scenario = Scenario(name: "edit", photos: [photo])
          scenario.edit = ModelFileSystem.Edit(
            path: path, text: "somebody's", isInPlace: isInPlace, call: call)
          let found = try scenario.explore()
          #expect(found.violations == [:], "\(path), call \(call)")
          total = total + found
          count += 1
        }
      }
    }
    let kind = isInPlace ? "in place" : "by a new file"
    print("crash model: \(total.states) states in \(count) edits \(kind), no violation")
  }

  /// If only the process is killed, all completed calls remain in effect, also those that were not
  /// synchronized.
  @Test(arguments: scenarios.map(\.name))
  func aKilledProcessDamagesNoPhotoEvenWithoutSynchronization(_ name: String) throws {
    var scenario = try #require(Self.scenarios.first { $0.name == name })
    scenario.durability = .none
    scenario.weakening.isOrdered = true
    let found = try scenario.explore()
    #expect(found.violations == [:])
    #expect(found.states > 5)
  }

  struct Mistake: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let apply: @Sendable (inout Scenario) -> Void

    init(_ name: String, _ apply: @escaping @Sendable (inout Scenario) -> Void) {
      testDescription = name
      self.apply = apply
    }

    /// Omits some calls to synchronize.
    static func skipping(
      _ name: String,
      _ skips:
        @escaping @Sendable (ModelFileSystem.Weakening.Synchronized, _ isCommitted: Bool) ->
        Bool
    ) -> Mistake {
      Mistake(name) { scenario in
        scenario.weakening.skips = { call, names in
          skips(call, names.contains { $0.extension == "commit" })
        }
      }
    }
  }

  private static let state: FilePath = ".phbatch"

  static let mistakes = [
    Mistake.skipping("temporary files are not synchronized") { call, _ in
      if case .file(let path) = call { !path.starts(with: state) } else { false }
    },
    Mistake.skipping("folders are not synchronized before the commit") { call, isCommitted in
      if case .folder(let path) = call { !path.starts(with: state) && !isCommitted } else { false }
    },
    Mistake.skipping("the journal is not synchronized") { call, _ in
      if case .file(let path) = call { path.starts(with: state) } else { false }
    },
    Mistake.skipping("the folder of journals is not synchronized") { call, _ in
      if case .folder(let path) = call { path == ".phbatch/txn" } else { false }
    },
    Mistake.skipping("folders are not synchronized after the commit") { call, isCommitted in
      if case .folder(let path) = call { !path.starts(with: state) && isCommitted } else { false }
    },
    Mistake("there is no journal") { $0.weakening.losesJournals = true },
    Mistake("there is no journal, and the sidecar comes first") { scenario in
      scenario.weakening.losesJournals = true
      scenario.photos = scenario.photos.map { $0.reversed() }
    },
    Mistake("temporary files are removed before the recovery") { $0.sweepsFirst = true },
    Mistake.skipping("the trash is filled after the journal is closed") { call, isCommitted in
      guard case .folder(let path) = call else { return false }
      return !isCommitted && (path.starts(with: ".phbatch/trash/1") || path.isEmpty)
    },
  ]

  @Test(arguments: mistakes)
  func theCrashModelDetectsEachDeliberateMistake(_ mistake: Mistake) throws {
    var violations: [String: Int] = [:]
    for photos in [[Self.again], [Self.firstRender], [Self.kept]] {
      var scenario = Scenario(name: mistake.testDescription, photos: photos)
      mistake.apply(&scenario)
      violations.merge(try scenario.explore().violations, uniquingKeysWith: +)
    }
    #expect(violations != [:])
    let count = violations.values.reduce(0, +)
    print("crash model: \(count) states show that \(mistake.testDescription)")
  }
}
