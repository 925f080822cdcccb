import Notation
import TestSupport
import Testing

@testable import PhotoImport

@Suite struct AdjustmentFileTests {
  @Test func fieldsOfAnAAEFileAreRead() throws {
    let file = try AdjustmentFile(
      ForeignText.aae(
        Array("{}".utf8),
        more: "<key>adjustmentEditorBundleID</key><string>com.apple.camera</string>"))
    #expect(file.formatIdentifier == "com.apple.photo")
    #expect(file.formatVersion == "1.5")
    #expect(file.baseVersion == 0)
    #expect(file.editor == "com.apple.camera")
    guard case .json(let json) = try file.payload() else {
      Issue.record("no JSON")
      return
    }
    #expect(json.object?.members.isEmpty == true)
  }

  @Test(arguments: [
    "adjustmentData", "adjustmentFormatIdentifier", "adjustmentFormatVersion",
  ])
  func missingRequiredKeysAreReported(_ key: String) {
    let text = String(decoding: ForeignText.aae([1]), as: UTF8.self).replacing(key, with: "other")
    #expect(throws: ForeignFileError.missing(key, in: "the AAE file")) {
      try AdjustmentFile(Array(text.utf8))
    }
  }

  @Test func aRepeatedKeyIsRefused() {
    let more = "<key>adjustmentFormatVersion</key><string>2</string>"
    #expect(throws: ForeignFileError.propertyList(.duplicateKey("adjustmentFormatVersion"))) {
      try AdjustmentFile(ForeignText.aae([1], more: more))
    }
  }

  @Test func tooLargeFilesAreRefused() {
    let bytes = [UInt8](repeating: 0x20, count: AdjustmentFile.sizeLimit + 1)
    #expect(throws: ForeignFileError.tooLarge(limit: 1 << 20)) { try AdjustmentFile(bytes) }
  }

  private func payloadError(_ data: [UInt8]) -> ForeignFileError? {
    do throws(ForeignFileError) {
      _ = try AdjustmentFile(ForeignText.aae(data)).payload()
      return nil
    } catch { return error }
  }

  @Test func theErrorNamesAMistakeInTheSettingsOfPhotos() {
    let whole = Deflated.stored(Array("{\"adjustments\":[]}".utf8))
    #expect(payloadError(whole) == nil)
    #expect(payloadError(Array(whole.dropLast())) == .compressed(.truncated))
    #expect(payloadError([7]) == .compressed(.damaged))
    #expect(payloadError(Deflated.zeros(runs: 80_000)) == .compressed(.tooLarge(limit: 16 << 20)))
    #expect(payloadError(Array("{\"a\":1,\"a\":2}".utf8)) == .propertyList(.duplicateKey("a")))
    guard case .payload = payloadError(Array("{\"a\"}".utf8)) else {
      Issue.record("no syntax error")
      return
    }
    let deep = Array(String(repeating: "{\"a\":", count: 10_000).utf8)
    guard case .payload = payloadError(Deflated.stored(deep)) else {
      Issue.record("no error for depth")
      return
    }
  }

  @Test func settingsOfUnknownProgramsAreNotDecoded() throws {
    let file = try AdjustmentFile(ForeignText.aae([1, 2, 3], identifier: "com.example.editor"))
    guard case .opaque = try file.payload() else {
      Issue.record("not opaque")
      return
    }
    #expect(throws: ForeignFileError.unknownEditor("com.example.editor")) {
      try Import.recipe(
        from: ForeignText.aae([1, 2, 3], identifier: "com.example.editor"), named: "a",
        identifier: "org.a")
    }
  }
}

@Suite struct XMPPacketTests {
  @Test func allNotationsOfRDFAreRead() throws {
    let packet = try XMPPacket(
      ForeignText.xmp(
        "crs:Exposure2012=\"+1.00\"",
        """
        <crs:Tint>5</crs:Tint>
        <crs:ToneCurve><rdf:Seq><rdf:li>0, 0</rdf:li><rdf:li>255, 255</rdf:li></rdf:Seq></crs:ToneCurve>
        <crs:Look rdf:parseType="Resource"><crs:Name>N</crs:Name></crs:Look>
        <crs:Other><rdf:Description crs:Name="M"/></crs:Other>
        <crs:Third crs:Name="O"/><crs:Link rdf:resource="http://example.org"/>
        """))
    let name = MarkupName(XMPNamespace.cameraRaw, "Name")
    #expect(packet[XMPNamespace.cameraRaw, "Exposure2012"] == .text("+1.00"))
    #expect(packet[XMPNamespace.cameraRaw, "Tint"] == .text("5"))
    #expect(
      packet[XMPNamespace.cameraRaw, "ToneCurve"] == .array([.text("0, 0"), .text("255, 255")]))
    #expect(packet[XMPNamespace.cameraRaw, "Look"] == .structure([name: .text("N")]))
    #expect(packet[XMPNamespace.cameraRaw, "Other"] == .structure([name: .text("M")]))
    #expect(packet[XMPNamespace.cameraRaw, "Third"] == .structure([name: .text("O")]))
    #expect(packet[XMPNamespace.cameraRaw, "Link"] == .text("http://example.org"))
  }

  @Test func aFileWithOnlyARatingHasNoSettings() throws {
    let packet = try XMPPacket(ForeignText.xmp("xmp:Rating=\"5\" crs:HasSettings=\"False\""))
    #expect(!packet.hasCameraRawSettings)
    #expect(!packet.hasDarktableHistory)
  }

  private static let step = """
    <darktable:history><rdf:Seq><rdf:li darktable:operation="exposure"/></rdf:Seq></darktable:history>
    """

  @Test(arguments: [
    ("darktable:history_end=\"1\"", step, true), ("", step, true),
    ("darktable:history_end=\"0\"", step, false), ("darktable:history_end=\"0\"", "", false),
    ("", "<darktable:history><rdf:Seq/></darktable:history>", false),
  ])
  func anXMPFileWithDarktableStepsIsRecognized(
    _ attributes: String, _ elements: String, _ expected: Bool
  ) throws {
    #expect(try XMPPacket(ForeignText.xmp(attributes, elements)).hasDarktableHistory == expected)
  }

  @Test func documentsWithoutPropertiesAreRefused() {
    #expect(throws: ForeignFileError.noProperties) { try XMPPacket(Array("<a/>".utf8)) }
  }
}

@Suite struct ProcessingProfileTests {
  @Test func groupsOfAPP3FileAreRead() throws {
    let profile = try ProcessingProfile(
      Array("\u{FEFF}# a\n[Exposure]\r\nAuto = false \n\n[Crop]\nX=1\n[Exposure]\nAuto=true\n".utf8)
    )
    #expect(profile["Exposure", "Auto"] == "true")
    #expect(profile["Crop", "X"] == "1")
    #expect(profile.hasSettings)
  }

  @Test func aProfileWithOnlyARankHasNoSettings() throws {
    let text = "[Version]\nAppVersion=5.9\n[General]\nRank=3\nInTrash=false\n[Exposure]\n"
    let profile = try ProcessingProfile(Array(text.utf8))
    #expect(!profile.hasSettings)
    #expect(profile.version == "5.9")
  }

  @Test(arguments: [("a=1", 1), ("[A]\nb", 2), ("[A]\n=1", 2), ("[A\nb=1", 1)])
  func theErrorNamesAnInvalidLine(_ text: String, _ line: Int) {
    #expect(throws: ForeignFileError.profile(line: line)) {
      try ProcessingProfile(Array(text.utf8))
    }
  }

  @Test func invalidUTF8IsRefused() {
    #expect(throws: ForeignFileError.notUTF8) { try ProcessingProfile([0x5B, 0xFF, 0x5D]) }
  }
}
