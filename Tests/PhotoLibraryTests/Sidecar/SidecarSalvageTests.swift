import Notation
import PhotoLibrary
import Testing

@Suite struct SidecarSalvageTests {
  private static let text = #"""
    {
      "adjustments": [
        { "formatIdentifier": "org.a", "formatVersion": "1.0.0", "overrides": { "x.y": [1, "}]"] },
          "recipe": {}, "variant": "web" },
        { "formatIdentifier": "org.b", "formatVersion": "2.0.0", "foreign": { "kind": "aae" },
          "overrides": { "x.y": 1 } },
        { "formatIdentifier": "org.c", "formatVersion": "3.0.0", "overrides": { "e.stops": 0.7 },
          "recipe": { "title": "a \" quote, and [ brackets" } }
      ],
      "focalPoint": [0.25, 0.5],
      "original": { "sha256": "00ff" },
      "phbatch": "1.0"
    }
    """#

  private func words(_ text: some StringProtocol) -> [String] {
    let salvage = SidecarSalvage(Array(text.utf8), date: "2026")
    let point = salvage.focalPoint.map { "\($0.x) \($0.y)" }
    let settings = salvage.settings.map {
      "\($0.formatIdentifier) \($0.formatVersion) \($0.variant ?? "-") \($0.overrides.keys)"
    }
    return settings + [point, salvage.original].compactMap(\.self)
  }

  private static let all = [
    #"org.a 1.0.0 web ["x.y"]"#, #"org.c 3.0.0 - ["e.stops"]"#, "0.25 0.5", "00ff",
  ]

  @Test func validPartsOfAnInvalidSidecarAreSalvaged() {
    #expect(words(Self.text) == Self.all)
    #expect(words(Self.text.replacing("{}", with: "7")) == Self.all)
    #expect(words(Self.text.replacing("[0.25, 0.5]", with: "[2, 3]")).count == 3)
  }

  /// Settings before the cut are salvaged from a sidecar that is truncated at any position and
  /// continues with characters that are not valid there.
  @Test(arguments: ["", "#", "\u{1}", "\"\n", "]]}}"])
  func settingsBeforeTheCutOfATruncatedSidecarAreSalvaged(_ end: String) {
    var most = 0
    for count in 0..<Self.text.utf8.count - 1 {
      let part = String(decoding: Self.text.utf8.prefix(count), as: UTF8.self)
      let found = words(part + end)
      #expect(found.count >= most - 1, "\(count)")
      most = max(most, found.count)
    }
    #expect(most == 4)
    #expect(words("") == [] && words("[]") == [] && words("{\"adjustments\": 3") == [])
  }
}
