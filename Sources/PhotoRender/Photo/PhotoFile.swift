import Glibc
import Vips

/// Where a photo's bytes come from.
public enum PhotoFile: Sendable {
  /// An open file that can seek; its position is moved.
  case descriptor(Int32)
  case bytes([UInt8])

  /// The bytes from their start.
  func source() -> Source {
    switch self {
    case .bytes(let bytes): return Source(bytes: bytes)
    case .descriptor(let descriptor):
      lseek(descriptor, 0, SEEK_SET)
      return Source(descriptor: descriptor)
    }
  }

  /// The failure of a decoder as a photo that ends early, where its container says so.
  func isCutOff(_ loader: String, _ error: RenderError) -> RenderError {
    guard case .unreadable(let detail) = error, endsEarly(loader) else { return error }
    return .truncated(detail)
  }

  private func endsEarly(_ loader: String) -> Bool {
    switch loader {
    case "jpegload_source": !tail(65_536).contains([0xFF, 0xD9])
    case "pngload_source": !tail(65_536).contains(Array("IEND".utf8))
    case "webpload_source":
      head(12).count < 12 || head(12)[4..<8].reversed().reduce(0) { $0 << 8 | Int($1) } + 8 > size
    default: false
    }
  }

  private var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .descriptor(let descriptor): Int(lseek(descriptor, 0, SEEK_END))
    }
  }

  private func head(_ count: Int) -> [UInt8] { part(0, count) }

  private func tail(_ count: Int) -> [UInt8] { part(max(0, size - count), count) }

  private func part(_ offset: Int, _ count: Int) -> [UInt8] {
    switch self {
    case .bytes(let bytes): return Array(bytes[min(offset, bytes.count)...].prefix(count))
    case .descriptor(let descriptor):
      var buffer = [UInt8](repeating: 0, count: count)
      let read = unsafe buffer.withUnsafeMutableBytes {
        unsafe pread(descriptor, $0.baseAddress, count, offset)
      }
      return Array(buffer.prefix(max(0, read)))
    }
  }
}
