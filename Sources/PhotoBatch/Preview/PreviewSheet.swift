import PhotoLibrary
import PhotoRender
import SystemPackage

/// A PNG picture of several previews: each photo before and after its edit, side by side under its
/// name.
public struct PreviewSheet {
  /// The text in a PNG file that marks it as a sheet by phbatch.
  public static let mark = SheetEntry.mark

  private let report: PreviewReport
  private let options: BatchOptions

  public init(_ report: PreviewReport, options: BatchOptions = BatchOptions()) {
    self.report = report
    self.options = options
  }

  /// Renders the sheet in a worker, and returns the bytes of the PNG file.
  ///
  /// - Throws: The failure of the worker.
  public func bytes() async throws -> [UInt8] {
    let (pictures, sheet) = (try TemporaryFile(), try TemporaryFile())
    let files = [try OpenFile(sharing: pictures), try OpenFile(sharing: sheet)]
    let entries = report.photos.map { photo in
      SheetEntry(
        title: title(of: photo), before: photo.pictures?.before.count ?? 0,
        after: photo.pictures?.after.count ?? 0)
    }
    let content = report.photos.flatMap { photo in
      (photo.pictures?.before ?? []) + (photo.pictures?.after ?? [])
    }
    try FileDescriptor(rawValue: pictures.descriptor).writeAll(content)
    let thread = WorkerThread(executable: options.workerExecutable, needsFonts: true)
    for reply in await thread.askAll([.sheet(entries)], files) { _ = try reply.get() }
    return try PhotoFile.descriptor(sheet.descriptor).contents(named: "sheet")
  }

  private func title(of photo: PhotoPreview) -> String {
    let state = photo.outcome.isDue ? "due" : photo.outcome.reason.rawValue
    let sizes = photo.pictures?.outputs.map { "\($0.name) \($0.size)" } ?? []
    return ([photo.path.displayed, photo.failure ?? state] + sizes).joined(separator: "   ")
  }
}

extension OpenFile {
  /// Duplicates the file's descriptor, so that it can be passed to a worker.
  convenience init(sharing file: TemporaryFile) throws {
    self.init(try FileDescriptor(rawValue: file.descriptor).duplicate(), FilePath("preview"))
  }
}
