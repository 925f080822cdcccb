public import SystemPackage

extension FileSystem {
  /// Puts a small file of these bytes in place of whatever has the name, all at once and durably.
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
      // The first failure is what counts; a later run removes the file if this cannot.
      try? remove(temporary)
      throw error
    }
    try synchronize(folder: folder)
  }
}
