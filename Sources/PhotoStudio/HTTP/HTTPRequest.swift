/// The head of an HTTP request, and its body.
///
/// Only requests that the studio's own page sends are accepted. Malformed requests are refused,
/// because a parser that repairs them could be misled by an attacker.
package struct HTTPRequest: Sendable, Hashable {
  package var method: String
  /// The path without the query; it begins with a slash and contains no escapes.
  package var path: String
  /// The members of the query, without escapes.
  package var query: [String: String]
  /// The values of the header fields, by their names in lower case.
  package var fields: [String: String]
  package var body: [UInt8] = []

  /// The maximum size of a head, and of a body, in bytes.
  package static let (longestHead, longestBody) = (16 << 10, 1 << 20)
  /// The maximum number of header fields.
  private static let mostFields = 64

  /// Parses a head, which ends before the empty line.
  ///
  /// - Throws: `HTTPProblem` for anything but a plain request of HTTP/1.1.
  package init(head: ArraySlice<UInt8>) throws(HTTPProblem) {
    guard head.count <= Self.longestHead else { throw .headTooLong }
    guard head.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 13 || $0 == 10 || $0 == 9 }) else {
      throw .malformed
    }
    let lines = try Self.lines(head)
    guard let first = lines.first else { throw .malformed }
    let words = first.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 3, Self.isToken(words[0]) else { throw .malformed }
    guard words[2] == "HTTP/1.1" else { throw .unsupportedVersion }
    method = String(words[0])
    let target = words[1].split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    guard let path = target.first, path.first == "/",
      path.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F && $0 != UInt8(ascii: "%") })
    else { throw .malformed }
    self.path = String(path)
    query = try target.count > 1 ? Self.query(target[1]) : [:]
    guard lines.count - 1 <= Self.mostFields else { throw .headTooLong }
    var fields: [String: String] = [:]
    for line in lines.dropFirst() {
      guard let colon = line.firstIndex(of: ":"), Self.isToken(line[..<colon]) else {
        throw .malformed
      }
      let name = line[..<colon].lowercased()
      // The browser may interpret a second field of the same name in another way than this server.
      guard fields[name] == nil else { throw .malformed }
      fields[name] = Self.trimmed(line[line.index(after: colon)...])
    }
    self.fields = fields
    guard fields["host"] != nil else { throw .malformed }
    guard fields["transfer-encoding"] == nil, fields["expect"] == nil else { throw .unsupported }
  }

  /// The size of the body in bytes.
  ///
  /// - Throws: `HTTPProblem` if the size is not a plain number, or is too large.
  package func bodySize() throws(HTTPProblem) -> Int {
    guard let text = fields["content-length"] else { return 0 }
    guard !text.isEmpty, text.utf8.count <= 10,
      text.utf8.allSatisfy({ $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }),
      let size = Int(text)
    else { throw .malformed }
    guard size <= Self.longestBody else { throw .bodyTooLong }
    return size
  }

  /// True if the head announces a body, or is malformed in that.
  var hasBody: Bool { (try? bodySize()) != 0 }

  /// True if the client closes the connection after this request.
  var closes: Bool { fields["connection"]?.lowercased() == "close" }

  private static func lines(_ head: ArraySlice<UInt8>) throws(HTTPProblem) -> [Substring] {
    guard let text = String(validating: head, as: UTF8.self) else { throw .malformed }
    let lines = text.split(separator: "\r\n", omittingEmptySubsequences: false)
    guard
      lines.allSatisfy({ !$0.unicodeScalars.contains("\n") && !$0.unicodeScalars.contains("\r") })
    else { throw .malformed }
    return lines
  }

  private static func isToken(_ text: Substring) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy { byte in
        let character = Character(Unicode.Scalar(byte))
        return character.isASCII && (character.isLetter || character.isNumber)
          || "!#$%&'*+-.^_`|~".utf8.contains(byte)
      }
  }

  private static func trimmed(_ text: Substring) -> String {
    let start = text.drop { $0 == " " || $0 == "\t" }
    return String(start.reversed().drop { $0 == " " || $0 == "\t" }.reversed())
  }

  private static func query(_ text: Substring) throws(HTTPProblem) -> [String: String] {
    var members: [String: String] = [:]
    for part in text.split(separator: "&") {
      let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let key = unescaped(pair[0]), let value = pair.count > 1 ? unescaped(pair[1]) : ""
      else { throw .malformed }
      members[key] = value
    }
    return members
  }

  /// Replaces escapes such as `%20`; nil for a malformed escape or invalid UTF-8.
  private static func unescaped(_ text: Substring) -> String? {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      guard byte == UInt8(ascii: "%") else {
        bytes.append(byte)
        continue
      }
      guard rest.count >= 2,
        let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
      else { return nil }
      bytes.append(value)
      rest = rest.dropFirst(2)
    }
    return String(validating: bytes, as: UTF8.self)
  }
}

/// The reason why a request is refused before it is handled.
package enum HTTPProblem: Error, Hashable {
  case malformed
  case headTooLong
  case bodyTooLong
  case unsupportedVersion
  case unsupported

  var status: Int {
    switch self {
    case .malformed: 400
    case .headTooLong: 431
    case .bodyTooLong: 413
    case .unsupportedVersion: 505
    case .unsupported: 501
    }
  }
}
