import Notation

/// Decides which requests the studio answers.
///
/// The studio can read photos and start runs, so only its own page may use it: no other web page in
/// the same browser, and no other user of the machine.
package struct Access: Sendable {
  /// The secret of this session, which the page gets in the fragment of its address.
  package let token: String

  package init() {
    var generator = SystemRandomNumberGenerator()
    let bytes = (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
    token = bytes.map { $0.digits(2, radix: 16) }.joined()
  }

  /// The refusal of a request; nil if it may be answered.
  ///
  /// `needsToken` is false for the files of the page, which contain no data.
  package func refusal(of request: HTTPRequest, needsToken: Bool) -> HTTPResponse? {
    guard let host = request.fields["host"], Self.isLoopback(host) else {
      // If another host name resolved to this machine, a page from that host could read everything.
      return HTTPResponse(403, Array("This server answers only to 127.0.0.1 and localhost.\n".utf8))
    }
    if let site = request.fields["sec-fetch-site"], site != "same-origin", site != "none" {
      let opensPage =
        request.method == "GET" && request.path == "/"
        && request.fields["sec-fetch-mode"] == "navigate"
      if !opensPage { return HTTPResponse(403, Array("Another site sent this request.\n".utf8)) }
    }
    // A browser adds the origin to writes and WebSockets, and to reads of pages of other origins.
    let needsOrigin = request.method != "GET" || request.fields["upgrade"] != nil
    let origin = request.fields["origin"]
    if (needsOrigin || origin != nil) && origin != "http://\(host)" {
      return HTTPResponse(403, Array("Another page sent this request.\n".utf8))
    }
    if needsToken {
      let given = request.fields["authorization"] ?? ""
      guard given.hasPrefix("Bearer "), isToken(String(given.dropFirst(7))) else {
        return HTTPResponse(401, Array("The address of the page lacks its key.\n".utf8))
      }
    }
    return nil
  }

  /// True if a text is the session's secret; the comparison takes the same time for all texts of
  /// that length.
  package func isToken(_ text: String) -> Bool {
    let (given, own) = (Array(text.utf8), Array(token.utf8))
    guard given.count == own.count else { return false }
    return zip(given, own).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  /// True if a `Host` field names this machine's loopback interface, with any port, because `ssh
  /// -L` may forward another port.
  private static func isLoopback(_ host: String) -> Bool {
    var name = host.lowercased()[...]
    if let colon = name.lastIndex(of: ":"), !name[colon...].contains("]") {
      let port = name[name.index(after: colon)...]
      guard !port.isEmpty, port.utf8.allSatisfy({ (48...57).contains($0) }) else { return false }
      name = name[..<colon]
    }
    return ["127.0.0.1", "localhost", "[::1]"].contains(name)
  }
}
