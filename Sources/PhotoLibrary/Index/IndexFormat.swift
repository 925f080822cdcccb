extension FolderRecord {
  /// The bytes of the folder's photos and files, as the index file contains them.
  ///
  /// A run reads them only if the folder has changed or the run reports each photo.
  var block: [UInt8] {
    var writer = IndexWriter()
    writer.add(each: findings) { writer, finding in
      writer.add(each: finding.photos) { writer, photo in
        writer.add(photo.name.bytes)
        writer.add(photo.reason)
        writer.add(photo.detail)
        writer.add(photo.hint)
        writer.add(each: photo.warnings) { $0.add($1) }
      }
    }
    writer.add(each: files) { writer, file in
      writer.add(file.name.bytes)
      writer.add(file.identity.inode)
      writer.add(file.identity.size)
      writer.add(file.identity.modified)
      writer.add(file.identity.changed)
      writer.add(raw: file.digest.bytes)
    }
    return writer.bytes
  }

  init(_ entry: LibraryIndex.Entry, block: [UInt8]) throws(IndexReader.Illegible) {
    self.init(key: entry.key, fingerprint: entry.fingerprint)
    links = entry.links
    var reader = IndexReader(block)
    let photos = try reader.each { reader throws(IndexReader.Illegible) in
      try reader.each { reader throws(IndexReader.Illegible) in try Photo(&reader) }
    }
    guard photos.count == entry.findings.count else { throw IndexReader.Illegible() }
    findings = zip(entry.findings, photos).map { Finding(summary: $0, photos: $1) }
    files = try reader.each { reader throws(IndexReader.Illegible) in try KnownFile(&reader) }
  }
}

extension FolderRecord.Photo {
  fileprivate init(_ reader: inout IndexReader) throws(IndexReader.Illegible) {
    name = FileName(bytes: try reader.bytes())
    reason = try reader.text()
    detail = try reader.optionalText()
    hint = try reader.optionalText()
    warnings = try reader.each { reader throws(IndexReader.Illegible) in try reader.text() }
  }
}

extension FolderRecord.KnownFile {
  fileprivate init(_ reader: inout IndexReader) throws(IndexReader.Illegible) {
    name = FileName(bytes: try reader.bytes())
    identity = FileIdentity(
      inode: try reader.number(), size: try reader.number(), modified: try reader.number(),
      changed: try reader.number())
    digest = Digest(bytes: try reader.raw(32), count: identity.size)
  }
}

extension LibraryIndex.Entry {
  func write(to writer: inout IndexWriter) {
    writer.add(key)
    writer.add(raw: fingerprint)
    writer.add(each: links.map { ($0, $0.path.bytes) }.sorted { Self.precedes($0, $1) }) {
      $0.add($1.0)
    }
    writer.add(each: findings) { writer, summary in
      writer.add(raw: summary.recipe)
      writer.add(UInt8(summary.isQuiet ? 1 : 0))
      writer.add(each: summary.counts) { writer, count in
        writer.add(count.reason)
        writer.add(UInt32(truncatingIfNeeded: count.photos))
      }
    }
    writer.add(offset)
    writer.add(length)
    writer.add(raw: digest)
  }

  init(_ reader: inout IndexReader) throws(IndexReader.Illegible) {
    key = try reader.key()
    fingerprint = Array(try reader.raw(32))
    links = Set(try reader.each { reader throws(IndexReader.Illegible) in try reader.key() })
    findings = try reader.each { reader throws(IndexReader.Illegible) in
      FolderRecord.Summary(
        recipe: Array(try reader.raw(32)), isQuiet: try reader.number(UInt8.self) != 0,
        counts: try reader.each { reader throws(IndexReader.Illegible) in
          FolderRecord.Count(
            reason: try reader.text(), photos: Int(try reader.number(UInt32.self)))
        })
    }
    offset = try reader.number()
    length = try reader.number()
    digest = Array(try reader.raw(32))
  }

  private static func precedes(
    _ left: (FolderKey, [UInt8]), _ right: (FolderKey, [UInt8])
  ) -> Bool {
    left.0.tree == right.0.tree
      ? left.1.lexicographicallyPrecedes(right.1) : left.0.tree.rawValue < right.0.tree.rawValue
  }
}
