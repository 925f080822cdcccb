import PhotoImport
import PhotoRecipes

extension FuzzTarget {
  /// An AAE file as Photos writes it: a property list in XML or binary form.
  static let adjustment = FuzzTarget("adjustment", imported)

  /// The settings that an AAE file contains: JSON compressed with DEFLATE, or a binary property
  /// list.
  static let payload = FuzzTarget("payload") { bytes in
    imported(AdjustmentText.file(holding: bytes))
  }

  /// An XMP file by Camera Raw, darktable or a catalogue program.
  static let xmp = FuzzTarget("xmp") { bytes in
    imported(bytes)
    _ = try? XMPPacket(bytes)
  }

  /// A `.pp3` profile by RawTherapee.
  static let profile = FuzzTarget("profile") { bytes in
    imported(bytes)
    _ = try? ProcessingProfile(bytes)
  }

  /// Imports another program's file; the resulting recipe must be readable again.
  @Sendable private static func imported(_ bytes: [UInt8]) {
    do throws(ForeignFileError) {
      let recipe = try Import.recipe(from: bytes, named: "a", identifier: "org.example.a")
      FuzzTarget.recipe.parse(Array(recipe.text.utf8))
    } catch {
      _ = error.message
    }
  }
}

/// Creates an AAE file that contains given settings.
private enum AdjustmentText {
  static func file(holding settings: [UInt8]) -> [UInt8] {
    let head = """
      <?xml version="1.0" encoding="UTF-8"?><plist version="1.0"><dict>\
      <key>adjustmentFormatIdentifier</key><string>com.apple.photo</string>\
      <key>adjustmentFormatVersion</key><string>1.5</string>\
      <key>adjustmentData</key><data>
      """
    return Array(head.utf8) + base64(settings) + Array("</data></dict></plist>".utf8)
  }

  /// Encodes bytes as Base64.
  ///
  /// - Source: RFC 4648, section 4.
  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        let isThere = place <= group.count
        text.append(isThere ? letters[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
