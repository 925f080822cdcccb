public import SystemPackage

extension FileSystem {
  /// Writes a small file with these bytes and gives it the name `path`, in place of any file that
  /// has the name.
  ///
  /// The replacement is atomic and durable.
  public func replace(
    _ path: FilePath, with bytes: [UInt8], permissions: FilePermissions = .newFile
  ) throws(FileSystemError) {
    let folder = path.removingLastComponent()
    let temporary = folder.appending(TemporaryName().component)
    let file = try create(temporary)
    do throws(FileSystemError) {
      try write(bytes, to: file)
      try setPermissions(permissions, of: file)
      try synchronize(file)
      try rename(temporary, to: path, .replacing)
    } catch {
      // The first error is the one to report. If the file cannot be removed here, a later run
      // removes it.
      try? remove(temporary)
      throw error
    }
    try synchronize(folder: folder)
  }
}
