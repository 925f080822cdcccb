package import Notation

/// A response with its whole body.
package struct HTTPResponse: Sendable {
  package var status: Int
  package var type: String
  package var body: [UInt8]
  /// Further header fields.
  package var fields: [(name: String, value: String)] = []

  package init(_ status: Int, _ body: [UInt8] = [], type: String = "text/plain; charset=utf-8") {
    (self.status, self.body, self.type) = (status, body, type)
  }

  package init(_ status: Int = 200, json: JSON) {
    self.init(status, json.compactBytes, type: "application/json")
  }

  /// The header fields of every response.
  ///
  /// They prevent that the response is cached, is embedded in or read by another page, or has its
  /// media type guessed. Scripts may come from this server only.
  static let safety = [
    ("Cache-Control", "no-store"),
    (
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' blob:;"
        + " connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none';"
        + " require-trusted-types-for 'script'"
    ),
    ("Cross-Origin-Opener-Policy", "same-origin"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
  ]

  /// The bytes of the response.
  func bytes(closes: Bool) -> [UInt8] {
    var head = "HTTP/1.1 \(status) \(Self.phrase(status))\r\n"
    head += "Content-Length: \(body.count)\r\n"
    if !body.isEmpty { head += "Content-Type: \(type)\r\n" }
    for (name, value) in Self.safety + fields { head += "\(name): \(value)\r\n" }
    head += closes ? "Connection: close\r\n\r\n" : "\r\n"
    return Array(head.utf8) + body
  }

  private static func phrase(_ status: Int) -> String {
    switch status {
    case 101: "Switching Protocols"
    case 200: "OK"
    case 400: "Bad Request"
    case 401: "Unauthorized"
    case 403: "Forbidden"
    case 404: "Not Found"
    case 405: "Method Not Allowed"
    case 409: "Conflict"
    case 412: "Precondition Failed"
    case 413: "Content Too Large"
    case 422: "Unprocessable Content"
    case 423: "Locked"
    case 426: "Upgrade Required"
    case 431: "Request Header Fields Too Large"
    case 501: "Not Implemented"
    case 503: "Service Unavailable"
    case 505: "HTTP Version Not Supported"
    default: "Internal Server Error"
    }
  }
}
