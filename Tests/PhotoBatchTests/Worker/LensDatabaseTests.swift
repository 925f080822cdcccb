import Foundation
import PhotoRender
import SystemPackage
import TestSupport
import Testing

@testable import PhotoBatch
@testable import PhotoRecipes

/// Lenses of an artificial database, and their corrections, compared with the corrections that
/// lensfun computes.
@Suite struct LensDatabaseTests {
  private static let folder = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Oracles").standardizedFileURL
  private static let database = LensDatabase(file: folder.appending(path: "lenses.xml").path)

  /// A camera with a lens, and the values that `Tests/Oracles/lens-tables.py` computed for it.
  struct Case: Sendable, CustomTestStringConvertible {
    var facts = LensFacts()
    var kinds = ""
    var size = Size(1, 1)
    /// The magnification; 0 for the automatic one, which is `automatic`.
    var scale = 0.0
    var automatic = 0.0
    /// For each point: its position, the positions of red, green and blue in the photo, and the
    /// gain.
    var points: [[Double]] = []

    var testDescription: String { "\(facts.camera) \(facts.lens) \(kinds) \(size)" }

    /// The correction with the profile that the database has.
    func correction() throws -> LensCorrection {
      guard case .found(let profile) = try LensDatabaseTests.database.lens(for: facts) else {
        throw CocoaError(.featureUnsupported)
      }
      var correction = LensCorrection()
      correction.distortion = kinds.contains("d")
      correction.vignetting = kinds.contains("v")
      correction.tca = kinds.contains("t")
      correction.profile = profile
      return correction
    }
  }

  static let cases: [Case] = {
    let text = try? String(contentsOf: folder.appending(path: "lenses.txt"), encoding: .utf8)
    var cases: [Case] = []
    for line in (text ?? "").split(separator: "\n") where !line.hasPrefix("#") {
      let parts = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      guard parts.count == 4 else {
        cases[cases.count - 1].points.append(line.split(separator: " ").compactMap { Double($0) })
        continue
      }
      let numbers = parts[3].split(separator: " ").compactMap { Double($0) }
      var one = Case()
      one.facts.maker = "Testmaker Corporation"
      (one.facts.camera, one.facts.lens, one.kinds) = (parts[0], parts[1], parts[2])
      (one.facts.focalLength, one.facts.aperture) = (numbers[0], numbers[1])
      one.facts.distance = numbers[2]
      one.size = Size(Int(numbers[3]), Int(numbers[4]))
      (one.scale, one.automatic) = (numbers[5], numbers[6])
      cases.append(one)
    }
    return cases
  }()

  @Test func theReferenceTableOfLensfunIsComplete() {
    #expect(Self.cases.count == 11 && Self.cases.allSatisfy { $0.points.count == 25 })
  }

  /// Positions agree with lensfun's within 0.05 pixels, in all channels.
  @Test(arguments: cases) func correctedPositionsEqualThoseOfLensfun(_ one: Case) throws {
    let map = try #require(one.correction().map(of: one.size))
    let scale = one.scale == 0 ? one.automatic : one.scale
    for point in one.points {
      let start = LensMap.Point(point[0] + 0.5, point[1] + 0.5)
      let corrected = map.centre + (start - map.centre) / scale
      for channel in LensMap.Channel.allCases {
        let found = map(corrected, channel) - 0.5
        let wanted = LensMap.Point(point[2 + 2 * channel.rawValue], point[3 + 2 * channel.rawValue])
        let distance = ((found - wanted) * (found - wanted)).sum().squareRoot()
        #expect(distance < 0.05, "\(channel) at \(point): \(found)")
      }
    }
  }

  /// Gains agree with lensfun's, relative to the light, within 1e-4.
  @Test(arguments: cases.filter { $0.kinds.contains("v") })
  func vignettingGainsEqualThoseOfLensfun(_ one: Case) throws {
    let correction = try one.correction()
    let map = try #require(correction.map(of: one.size))
    let falloff = try #require(correction.falloff(map, one.size))
    for point in one.points {
      let place = LensMap.Point(
        (point[0] + 0.5) / Double(one.size.width), (point[1] + 0.5) / Double(one.size.height))
      #expect(abs(falloff(place) / point[8] - 1) < 1e-4, "\(point): \(falloff(place))")
    }
  }

  /// lensfun adds 0.1 % to its magnification, and another 0.1 % with lateral colour; it checks only
  /// the corners and the middle of each edge.
  @Test(arguments: cases) func automaticScalesEqualThoseOfLensfun(_ one: Case) throws {
    let map = try #require(one.correction().map(of: one.size))
    if map.isIdentity { return }
    #expect(abs(map.fillingScale(one.size) - one.automatic) < 0.004)
  }

  private static func answer(_ change: (inout LensFacts) -> Void) throws -> LensAnswer {
    var facts = LensFacts()
    change(&facts)
    return try database.lens(for: facts)
  }

  @Test func theLensOfACameraWithAFixedLensIsFoundWithoutALensName() throws {
    let answer = try Self.answer {
      ($0.maker, $0.camera, $0.focalLength) = ("Testmaker Corporation", "Pocket 7", 6.1)
    }
    guard case .found(let profile) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(profile.camera == "Testmaker Corporation Pocket 7")
    #expect(profile.lens == "Testmaker Pocket 7 & compatibles (Standard)")
    #expect(profile.distortion == .poly3(k: Double(Float(-0.031))) && profile.red == nil)
  }

  /// A lens name that the user wrote may be incomplete; a lens name from a photo must match
  /// completely.
  @Test func anIncompleteLensNameIsFoundIfTheUserWroteIt() throws {
    func named(_ isWritten: Bool) throws -> LensAnswer {
      try Self.answer {
        ($0.camera, $0.lens, $0.focalLength) = ("T100 of mine", "18-55 Q kit", 18)
        $0.isWritten = isWritten
      }
    }
    guard case .found(let profile) = try named(true) else {
      Issue.record("not found")
      return
    }
    #expect(profile.lens == "Testmaker Testar 18-55mm f/3.5-5.6 Q" && profile.crop == 1.5)
    guard case .unknown = try named(false) else {
      Issue.record("found")
      return
    }
  }

  @Test(arguments: [
    ("", "", "", 0.0, "the photo states neither camera nor lens"),
    ("X", "Y", "", 5, "the photo states no lens, and the database has no camera 'X Y'"),
    ("Testmaker Corporation", "T1", "", 50, "the photo does not state the lens of"),
    ("Testmaker Corporation", "T1", "Zoomar 28mm", 28, "the database has no 'Zoomar 28mm' for"),
    (
      "Testmaker Corporation", "T1", "Testar 50mm f/1.8", 85,
      "'Testar 50mm f/1.8' does not fit the focal length of 85 mm"
    ),
    (
      "Testmaker Corporation", "T100", "Testar 18-55mm f/3.5-5.6 Q", 0,
      "does not fit a photo without a focal length"
    ),
  ])
  func theMessageAboutAnUnknownLensStatesTheReason(
    _ maker: String, _ camera: String, _ lens: String, _ length: Double, _ words: String
  ) throws {
    let answer = try Self.answer {
      ($0.maker, $0.camera, $0.lens) = (maker, camera, lens)
      $0.focalLength = length > 0 ? length : nil
    }
    guard case .unknown(let reason) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(reason.contains(words), "\(reason)")
  }

  /// The camera D30 is not the 30D, although both names have the same letters and digits.
  @Test(arguments: ["D30", "30D"])
  func theNameOfACameraIsFoundInItsOrder(_ name: String) throws {
    let folder = try TemporaryFolder()
    let cameras = ["30D", "D30"].map {
      """
      <camera><maker>Testmaker</maker><model>\($0)</model><mount>M</mount>
      <cropfactor>1.6</cropfactor></camera>
      """
    }
    try folder.write(
      """
      <lensdatabase version="1"><mount><name>M</name></mount>\(cameras.joined())
      <lens><maker>Testmaker</maker><model>Testar 50mm f/1.8</model><mount>M</mount>
      <cropfactor>1.6</cropfactor><calibration><distortion model="poly3" focal="50" k1="-0.01"/>
      </calibration></lens></lensdatabase>
      """, to: "lenses.xml")
    var facts = LensFacts()
    (facts.maker, facts.camera) = ("Testmaker", name)
    (facts.lens, facts.focalLength) = ("Testar 50mm f/1.8", 50)
    let answer = try LensDatabase(file: folder["lenses.xml"].string).lens(for: facts)
    guard case .found(let profile) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(profile.camera == "Testmaker \(name)")
  }

  /// EXIF states a camera's own name, and the database shows another one in English.
  @Test(arguments: ["DSC-RX100", "RX100"])
  func aCameraIsFoundByEachOfItsNames(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(
      """
      <lensdatabase version="1"><mount><name>testRX</name></mount>
      <camera><maker>Testmaker</maker><model>DSC-RX100</model><model lang="en">RX100</model>
      <mount>testRX</mount><cropfactor>2.7</cropfactor></camera>
      <lens><maker>Testmaker</maker><model>DSC-RX100 &amp; compatibles</model>
      <model lang="en">fixed lens</model><mount>testRX</mount><cropfactor>2.7</cropfactor>
      <focal min="10.4" max="37.1"/>
      <calibration><distortion model="poly3" focal="10.4" k1="-0.02"/></calibration></lens>
      </lensdatabase>
      """, to: "lenses.xml")
    var facts = LensFacts()
    (facts.maker, facts.camera, facts.focalLength) = ("TESTMAKER", name, 10.4)
    let answer = try LensDatabase(file: folder["lenses.xml"].string).lens(for: facts)
    guard case .found(let profile) = answer else {
      Issue.record("\(answer)")
      return
    }
    #expect(profile.crop == Double(Float(2.7)))
  }

  @Test func aMissingLensDatabaseIsAnError() {
    #expect(throws: RenderError.missingLensDatabase("the database cannot be read")) {
      try LensDatabase(file: "/nonexistent.xml").lens(for: LensFacts())
    }
  }

  /// The coordinator sends a profile to the worker as JSON.
  @Test(arguments: cases) func lensProfilesAreEncodedAsJSONWithoutLoss(_ one: Case) throws {
    let profile = try #require(one.correction().profile)
    #expect(LensProfile(profile.json) == profile)
    #expect(LensFacts(one.facts.json) == one.facts)
    let found = FoundLens(one.facts, profile)
    #expect(FoundLens(found.json) == found)
  }
}
