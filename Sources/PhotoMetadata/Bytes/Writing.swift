import Glibc

/// Writes all bytes at an offset; the file grows as needed.
func write(_ bytes: [UInt8], to descriptor: Int32, at offset: Int) throws(MetadataError) {
  var written = 0
  while written < bytes.count {
    let count = unsafe bytes.withUnsafeBytes {
      unsafe pwrite(
        descriptor, $0.baseAddress?.advanced(by: written), bytes.count - written, offset + written)
    }
    if count < 0 && errno == EINTR { continue }
    guard count > 0 else { throw .cannotWrite(unsafe String(cString: strerror(errno))) }
    written += count
  }
}

func truncate(_ descriptor: Int32, to size: Int) throws(MetadataError) {
  guard ftruncate(descriptor, size) == 0 else {
    throw .cannotWrite(unsafe String(cString: strerror(errno)))
  }
}
