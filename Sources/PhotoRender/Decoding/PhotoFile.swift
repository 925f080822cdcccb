import FileStructure
import Glibc
import PhotoMetadata
import PhotoRecipes
import Vips

/// The source of a photo's bytes.
public enum PhotoFile: Sendable {
  /// An open, seekable file; reading may change its position.
  case descriptor(Int32)
  case bytes([UInt8])

  /// The bytes from the start of the file, changed at places where decoders would fail.
  func source() -> Source {
    let patches = DecoderPatches.patches(for: byteSource)
    switch self {
    case .bytes(let bytes): return Source(bytes: bytes.replacing(patches))
    case .descriptor(let descriptor):
      if !patches.isEmpty {
        return Source(
          descriptor: descriptor, replacing: patches.map { ($0.offset, $0.bytes) })
      }
      lseek(descriptor, 0, SEEK_SET)
      return Source(descriptor: descriptor)
    }
  }

  /// The same bytes with a separate read position, so that another thread can read them.
  func separateSource() -> Source {
    guard case .descriptor(let descriptor) = self else { return source() }
    let patches = DecoderPatches.patches(for: byteSource)
    return Source(descriptor: descriptor, replacing: patches.map { ($0.offset, $0.bytes) })
  }

  /// Returns the error of a decoder, or `truncated` if the file's container shows that the file
  /// ends early.
  func diagnosis(of error: RenderError, _ format: InputFormat) -> RenderError {
    guard case .unreadable(let detail) = error else { return error }
    let sign = Warnings.Sign.prematureEnd
    if format == .jpeg,
      detail.contains(sign.rawValue) || VipsRuntime.takeWarnings().signs.contains(sign)
    {
      return Warnings.endOfPixels
    }
    if FileEnd.seemsCut(byteSource) { return .truncated(detail) }
    if format.family == .raw, detail.contains("it ends early") { return .truncated(detail) }
    // A bare JPEG XL codestream does not state its length, so truncation cannot be detected.
    return format == .jxl ? .unreadable("the file is damaged, or cut off: \(detail)") : error
  }

  /// Reads all bytes without changing the file's position, because another process may share it.
  ///
  /// - Parameter name: The file's name in errors.
  /// - Returns: The whole file.
  /// - Throws: `RenderError.unreadableFile` if not all bytes can be read.
  public func contents(named name: String) throws(RenderError) -> [UInt8] {
    guard case .descriptor(let descriptor) = self else { return part(0, size) }
    var status = stat()
    guard unsafe fstat(descriptor, &status) == 0 else {
      throw .unreadableFile(name, unsafe String(cString: strerror(errno)))
    }
    var bytes: [UInt8] = []
    while bytes.count < Int(status.st_size) {
      let more = part(bytes.count, min(Int(status.st_size) - bytes.count, 1 << 24))
      if more.isEmpty { throw .unreadableFile(name, "the file is cut off") }
      bytes += more
    }
    return bytes
  }

  /// The number of bytes.
  var size: Int {
    switch self {
    case .bytes(let bytes): bytes.count
    case .descriptor(let descriptor): Int(lseek(descriptor, 0, SEEK_END))
    }
  }

  /// Returns `count` bytes from an offset on, or fewer at the end of the file.
  func part(_ offset: Int, _ count: Int) -> [UInt8] {
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

extension PhotoFile {
  /// The bytes as a source for readers of metadata.
  var byteSource: ByteSource {
    switch self {
    case .descriptor(let descriptor): .descriptor(descriptor)
    case .bytes(let bytes): .bytes(bytes)
    }
  }
}

extension [UInt8] {
  fileprivate func replacing(_ patches: [BytePatch]) -> [UInt8] {
    var bytes = self
    for patch in patches where patch.offset + patch.bytes.count <= count {
      bytes.replaceSubrange(patch.offset..<(patch.offset + patch.bytes.count), with: patch.bytes)
    }
    return bytes
  }
}
