import Notation
import PhotoRecipes
import SystemPackage
import TestRandom
import Testing

@testable import PhotoLibrary

@Suite struct SidecarTests {
  private static let text = """
    {
      "adjustments": [
        {
          "base": "original",
          "date": "2026-01-31T10:00:00Z",
          "engine": {
            "xEngine": 1.50
          },
          "formatIdentifier": "org.example.web",
          "formatVersion": "1.2.0",
          "overrides": {
            "exposure.stops": 5e-1
          },
          "recipe": {
            "filters": [],
            "outputs": [
              {
                "format": "jpeg",
                "name": "web"
              }
            ]
          },
          "renditions": [
            {
              "bytes": 7,
              "current": true,
              "file": "a.web.jpg",
              "height": 3,
              "output": "web",
              "sha256": "00",
              "width": 2,
              "xRendition": 1e3
            }
          ],
          "settings": "s",
          "variant": "web",
          "xAdjustment": [
            0.10,
            -0,
            12345678901234567890
          ]
        },
        {
          "date": "",
          "engine": 7,
          "foreign": {
            "current": {
              "bytes": 12,
              "file": "IMG_E1.JPG",
              "sha256": "b",
              "unknown": 1.50
            },
            "file": "IMG_1.AAE",
            "kind": "aae",
            "sha256": "a",
            "unknown": 1e2
          },
          "formatIdentifier": "com.example",
          "formatVersion": "whatever",
          "settings": {}
        }
      ],
      "focalPoint": [
        0.25,
        1
      ],
      "original": {
        "bytes": 1,
        "file": "a.jpg",
        "height": 3,
        "sha256": "00",
        "width": 2,
        "xOriginal": "\u{1F5BC}"
      },
      "phbatch": "1.7",
      "reverted": [
        {
          "date": "2026-02-01T10:00:00Z",
          "formatIdentifier": "org.example.print",
          "formatVersion": "2.0.0",
          "overrides": {
            "exposure.stops": 2.50
          },
          "settings": "p",
          "xReverted": 0.0
        }
      ],
      "xTop": null
    }

    """

  private func sidecar(_ bytes: [UInt8]) throws(SidecarError) -> Sidecar {
    try Sidecar(SourceText(name: "a.jpg.phbatch.json", bytes: bytes))
  }

  /// Such a sidecar could not be read again.
  @Test(arguments: [(640.0, 480.0), (.nan, 0.5), (0.5, -.infinity)])
  func aFocalPointOutsideOfThePhotoIsNotWritten(_ x: Double, _ y: Double) throws {
    var sidecar = Sidecar(
      original: OriginalRecord(
        file: RecordedName(bytes: [0x61]), bytes: 1, sha256: "00", width: 640, height: 480,
        date: nil))
    sidecar.focalPoint = Sidecar.FocalPoint(x: x, y: y)
    #expect {
      try sidecar.text()
    } throws: { error in
      if case SidecarError.wrongFocalPoint = error { true } else { false }
    }
  }

  @Test func readingAndWritingASidecarKeepsEveryByte() throws {
    var bytes = Array(Self.text.utf8)
    for _ in 0..<3 { bytes = try sidecar(bytes).text() }
    #expect(String(decoding: bytes, as: UTF8.self) == Self.text)
  }

  /// A new adjustment that replaces an old one keeps the old one's unknown keys.
  @Test func replacingAnAdjustmentKeepsTheUnknownKeysOfTheOldOne() throws {
    var found = try sidecar(Array(Self.text.utf8))
    var new = found.adjustments[0]
    new = Adjustment(
      formatIdentifier: "org.example.web", formatVersion: "1.3.0", variant: "web", base: .original,
      date: "", overrides: JSON.Object(), recipe: new.recipe, renditions: [], settings: "t",
      engine: .null)
    found.adjustments[0] = found.adjustments[0].replaced(by: new)
    let text = String(decoding: try found.text(), as: UTF8.self)
    #expect(text.contains("xAdjustment") && text.contains("12345678901234567890"))
    #expect(text.contains("1.3.0"))
  }

  @Test func everyTruncatedSidecarIsCorrupt() throws {
    let bytes = Array(Self.text.utf8)
    for count in 0..<(bytes.count - 2) {
      #expect(throws: SidecarError.self) { try sidecar(Array(bytes.prefix(count))) }
    }
  }

  /// A sidecar in which one byte was changed is either refused, or read and written again without
  /// loss.
  ///
  /// Each byte gets two of the values; in `make soak`, all of them.
  @Test func aSidecarWithOneDamagedByteIsRefusedOrKeptWithoutLoss() throws {
    let bytes = Array(Self.text.utf8)
    let values: [UInt8] = [0, 0x20, 0x22, 0x2C, 0x30, 0x7B, 0x80, 0xFF]
    for index in bytes.indices {
      for (number, value) in values.enumerated()
      where TestVolume.isWhole || number % 4 == index % 4 {
        var damaged = bytes
        damaged[index] = value
        guard let found = try? sidecar(damaged) else { continue }
        let written = try found.text()
        #expect(try sidecar(written).text() == written)
      }
    }
  }

  @Test(arguments: [
    (#""variant": "web""#, #""variant": 7"#), (#""current": true"#, #""current": "yes""#),
    (#""bytes": 7"#, #""bytes": 7.5"#), (#""base": "original""#, #""base": "origin""#),
    (#""base": "original""#, #""base": {"file": "x"}"#), (#""settings": "s""#, #""settings": 1"#),
    (#""phbatch": "1.7""#, #""phbatch": "one""#), (#""phbatch": "1.7""#, #""phbatch": 1.7"#),
    (#""width": 2,"#, ""), (#""xTop": null"#, #""xTop": null, "xTop": null"#),
  ])
  func sidecarKeysWithWrongValuesAreReportedWithTheirLine(_ good: String, _ bad: String) throws {
    let text = Self.text.replacing(good, with: bad, maxReplacements: 1)
    #expect(text != Self.text)
    let error = #expect(throws: SidecarError.self) { try sidecar(Array(text.utf8)) }
    #expect(error?.message.contains("a.jpg.phbatch.json:") == true)
  }

  @Test(arguments: [
    (#""width": 2,"#, #""width": -1,"#), (#""width": 2,"#, #""width": 2147483648,"#),
    (#""height": 3,"#, #""height": 1099511627776,"#), (#""bytes": 7,"#, #""bytes": -1,"#),
    (#""bytes": 7,"#, #""bytes": 9007199254740994,"#),
    (#""bytes": 12,"#, #""bytes": 4611686018427387904,"#),
    (#""bytes": 1,"#, #""bytes": 1e18,"#),
  ])
  func aSidecarWithImpossibleSizesIsCorrupt(_ good: String, _ bad: String) throws {
    let text = Self.text.replacing(good, with: bad, maxReplacements: 1)
    #expect(text != Self.text)
    #expect(throws: SidecarError.self) { try sidecar(Array(text.utf8)) }
  }

  /// The path of each error is found by a search among all entries; without a limit of errors, that
  /// takes minutes.
  @Test func onlyTheFirstErrorsOfASidecarAreReported() throws {
    let entries = [String](repeating: "1", count: 400_000).joined(separator: ",")
    let text = "{\"phbatch\":\"1.0\",\"original\":1,\"adjustments\":[\(entries)]}"
    do {
      _ = try sidecar(Array(text.utf8))
      Issue.record("the sidecar is accepted")
    } catch {
      guard case .corrupt(let document) = error else { throw error }
      #expect(document.diagnostics.count == 100)
      #expect(document.diagnostics.last?.path.description.hasPrefix("$.adjustments[") == true)
    }
  }

  /// Numbers beyond the range of a double keep their spelling.
  @Test func numbersBeyondADoubleAreKeptAsTheyAreWritten() throws {
    let text = Self.text.replacing("1.50", with: "1e400").replacing("-0", with: "-1E+9999")
    #expect(text != Self.text)
    #expect(String(decoding: try sidecar(Array(text.utf8)).text(), as: UTF8.self) == text)
  }

  @Test func aSidecarOfANewerFormatHasAnErrorOfItsOwn() throws {
    let text = Self.text.replacing("\"1.7\"", with: "\"2.0\"")
    #expect(throws: SidecarError.newer("2.0")) { try sidecar(Array(text.utf8)) }
  }

  @Test func aSidecarAboveTheSizeLimitIsNeitherReadNorWritten() throws {
    let blank = [UInt8](repeating: 0x20, count: 1 << 20)
    #expect(throws: SidecarError.self) { try sidecar(Array(Self.text.utf8) + blank) }
    var found = try sidecar(Array(Self.text.utf8))
    found.adjustments[0].settings = String(repeating: "s", count: 1 << 20)
    #expect(throws: SidecarError.self) { try found.text() }
  }

  @Test(arguments: [
    ("a.web.jpg", true), ("b.web.jpg", false), ("a.jpg", false), ("../a.web.jpg", false),
    ("/a.web.jpg", false), ("./a.web.jpg", false), ("x/../a.web.jpg", false), ("", false),
    ("{root}/a.web.jpg", false), ("{root}/trip/a.web.jpg", true), ("{root}/../a.web.jpg", false),
    ("a.web.jpg\u{0}", false),
  ])
  func aRecordedPathIsAcceptedOnlyIfItsTemplateGivesThatPath(
    _ claim: String, _ isBelieved: Bool
  ) throws {
    var found = try sidecar(Array(Self.text.utf8))
    found.adjustments[0].renditions[0].file = RecordedName(bytes: Array(claim.utf8))
    let adjustment = found.adjustments[0]
    let path = adjustment.path(
      of: adjustment.renditions[0], original: "trip/a.jpg", found.original)
    #expect(path == (isBelieved ? "trip/a.web.jpg" : nil))
  }
}
