import SystemPackage

/// Renames that lose no file, also on file systems that support only the plain rename (NFS, FUSE).
extension FileSystem {
  /// Gives a file a new name unless another file has that name.
  ///
  /// If the file system does not support such a rename, the file has both names for a moment. Its
  /// first name is removed when the second would survive a power failure.
  func move(_ from: FilePath, to path: FilePath) throws(FileSystemError) {
    do throws(FileSystemError) { try rename(from, to: path, .keeping) } catch {
      guard error.errno == .invalidArgument else { throw error }
      do throws(FileSystemError) { try link(from, to: path) } catch {
        throw FileSystemError(.rename, path, error.errno)
      }
      try synchronize(folder: path.removingLastComponent())
      try remove(from)
    }
  }

  /// Exchanges two files.
  ///
  /// If the file system does not support an exchange, the file at `path` first gets a second name
  /// (`FilePath.aside`), so that the file always has a name.
  ///
  /// - Throws: `.fileExists` if another file got the name during the call.
  func exchange(_ temporary: FilePath, with path: FilePath) throws(FileSystemError) {
    do throws(FileSystemError) { try rename(temporary, to: path, .exchanging) } catch {
      guard error.errno == .invalidArgument else { throw error }
      let aside = temporary.aside
      try link(path, to: aside)
      try synchronize(folder: aside.removingLastComponent())
      guard try status(at: path)?.identity.inode == status(at: aside)?.identity.inode else {
        try remove(aside)
        throw FileSystemError(.rename, path, .fileExists)
      }
      try rename(temporary, to: path, .replacing)
      try synchronize(folder: path.removingLastComponent())
      try move(aside, to: temporary)
    }
  }
}

extension FilePath {
  /// The name of a displaced file in the trash: its temporary name without `.phbatch-` and `.tmp`.
  var trashName: Component? {
    guard let name = lastComponent else { return nil }
    return FileName(bytes: name.bytes.dropFirst(".phbatch-".utf8.count).dropLast(".tmp".utf8.count))
      .component
  }

  /// The second name that a displaced file gets during `exchange`: this temporary name with `-old`.
  ///
  /// The second name is also a temporary name, so that a run removes it if it remains.
  var aside: FilePath {
    guard let name = lastComponent,
      let aside = FileName(bytes: (name.bytes.dropLast(4) + Array("-old.tmp".utf8))[...]).component
    else { return self }
    return removingLastComponent().appending(aside)
  }
}
