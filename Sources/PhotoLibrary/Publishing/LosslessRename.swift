import SystemPackage

/// Renames that lose nothing, also where the file system knows only the plain one (NFS, FUSE).
extension FileSystem {
  /// Gives a file a new name unless anything has that.
  ///
  /// Where the file system cannot do that at once, the file has both names for a moment; the first
  /// one goes when the second would survive a power failure.
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
  /// Where the file system cannot do that at once, what had the name `path` has a second one first
  /// (`FilePath.aside`), so that it is never without any.
  ///
  /// - Throws: `.fileExists` if another file took the name meanwhile.
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
  /// The name of a displaced file in the trash: the number in its temporary name.
  var trashName: Component? {
    guard let name = lastComponent else { return nil }
    return FileName(bytes: name.bytes.dropFirst(".phbatch-".utf8.count).dropLast(".tmp".utf8.count))
      .component
  }

  /// The second name of what a temporary file takes the place of, itself one of a temporary file.
  var aside: FilePath {
    guard let name = lastComponent,
      let aside = FileName(bytes: (name.bytes.dropLast(4) + Array("-old.tmp".utf8))[...]).component
    else { return self }
    return removingLastComponent().appending(aside)
  }
}
