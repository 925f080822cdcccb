import TestSupport

/// Creates files as other programs write them.
enum ForeignText {
  /// An AAE file; `data` is Base64.
  static func aae(
    _ data: [UInt8], identifier: String = "com.apple.photo", version: String = "1.5",
    more: String = ""
  ) -> [UInt8] {
    let text = """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0"><dict>
      <key>adjustmentBaseVersion</key><integer>0</integer>
      <key>adjustmentData</key><data>\(base64(data))</data>
      <key>adjustmentFormatIdentifier</key><string>\(identifier)</string>
      <key>adjustmentFormatVersion</key><string>\(version)</string>\(more)
      </dict></plist>
      """
    return Array(text.utf8)
  }

  /// An AAE file by Photos with these adjustments: identifiers and JSON settings.
  static func photos(_ adjustments: KeyValuePairs<String, String>) -> [UInt8] {
    let list = adjustments.map {
      "{\"identifier\":\"\($0.key)\",\"enabled\":true,\"settings\":\($0.value)}"
    }
    let json = """
      {"formatVersion":1,"metadata":{"masterWidth":4000,"masterHeight":3000,"orientation":1},\
      "adjustments":[\(list.joined(separator: ","))]}
      """
    return aae(Deflated.stored(Array(json.utf8)))
  }

  /// An XMP file with attributes of Camera Raw, and elements within the description.
  static func xmp(_ attributes: String, _ elements: String = "") -> [UInt8] {
    Array(
      """
      <?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?>
      <x:xmpmeta xmlns:x="adobe:ns:meta/">
       <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
        <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
         xmlns:tiff="http://ns.adobe.com/tiff/1.0/" xmlns:xmp="http://ns.adobe.com/xap/1.0/"
         xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
         xmlns:darktable="http://darktable.sf.net/" \(attributes)>\(elements)</rdf:Description>
       </rdf:RDF>
      </x:xmpmeta>
      <?xpacket end="w"?>
      """.utf8)
  }

  private static func base64(_ bytes: [UInt8]) -> String {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/")
    var text = ""
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let number = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for index in 0...group.count { text.append(digits[number >> (18 - 6 * index) & 63]) }
      text += String(repeating: "=", count: 3 - group.count)
    }
    return text
  }
}
