extension FileSystem {
  /// Appends all bytes of one file to those already written to another.
  public func copy(_ file: File, to target: File) throws(FileSystemError) {
    var offset: Int64 = 0
    while true {
      let bytes = try read(file, at: offset, count: 1 << 20)
      if bytes.isEmpty { return }
      try write(bytes, to: target)
      offset += Int64(bytes.count)
    }
  }
}
