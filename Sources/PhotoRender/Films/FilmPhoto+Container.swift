import FileStructure
import PhotoMetadata
import PhotoRecipes

/// The container of a film, and the parts of it that need not be encoded again.
extension FilmPhoto {
  /// The kind of the film's container: `mov`, `mp4` or `webm`; nil for others.
  var container: String? {
    let file = ByteSource.descriptor(descriptor)
    if isWebM { return WebMFormat.name }
    guard let first = Box.all(in: file, 0..<file.count).first else { return nil }
    if first.name != "ftyp" {
      return ["moov", "mdat", "wide", "free", "skip"].contains(first.name) ? "mov" : nil
    }
    return file.bytes(at: first.offset + 8, 4) == Array("qt  ".utf8) ? "mov" : "mp4"
  }

  /// True if the film is a WebM file, by the type of document in its header.
  ///
  /// - Source: RFC 8794, 11.2.4; WebM Container Guidelines.
  private var isWebM: Bool {
    let head = ByteSource.descriptor(descriptor).bytes(at: 0, 64)
    let type: [UInt8] = [0x42, 0x82, 0x84] + "webm".utf8
    return head.starts(with: [0x1A, 0x45, 0xDF, 0xA3])
      && head.indices.contains { head[$0...].starts(with: type) }
  }

  /// True if the film already has the container and the codec of an output.
  func hasFormat(of output: Output) -> Bool {
    guard let format = output.format as? any FilmFormat else { return false }
    let codec = format.coding.codec
    return container == type(of: format).name && (codec == .source || codec.rawValue == facts.codec)
  }

  /// Splits outputs into outputs that keep the film's container and outputs that are written anew.
  func groups(_ outputs: [(number: Int, output: Output)]) -> [FilmGroup] {
    let container = container
    let known = movie
    let fitting = outputs.filter { known != nil && type(of: $0.output.format).name == container }
      .map(\.number)
    let others = outputs.map(\.number).filter { !fitting.contains($0) }
    return [
      FilmGroup(movie: known?.source, cut: known?.cut, outputs: fitting),
      FilmGroup(movie: nil, outputs: others),
    ].filter { !$0.outputs.isEmpty }
  }

  /// The film's container, if its picture can be replaced there, and the part that is rendered;
  /// nil if the container must be written anew.
  private var movie: (source: MovieSource, cut: MovieCut?)? { try? movieOrObstacle() }

  private func movieOrObstacle() throws(MovieObstacle) -> (source: MovieSource, cut: MovieCut?) {
    let source = try MovieSource(.descriptor(descriptor), picture: facts.track)
    guard let span else { return (source, nil) }
    return (source, try MovieCut(source, span))
  }

  /// The reason why the packets of a part of the film cannot be copied to an output of the same
  /// codec, or to one with other metadata; nil if they can, or if all bytes are copied.
  func cutObstacle(for output: Output, _ texts: FilmCuration) -> String? {
    guard span != nil || !texts.keepsAll,
      let format = output.format as? any FilmFormat,
      format.codec(for: facts) == facts.codec
    else { return nil }
    do throws(MovieObstacle) {
      _ = try movieOrObstacle()
      return nil
    } catch {
      switch error {
      case .unfit(let reason), .damaged(let reason): return reason
      }
    }
  }

  /// Writes the film's own bytes to an empty file, or its own packets if a part of it or a part of its
  /// metadata is wanted; returns false if the container cannot be written anew.
  func copy(
    to target: FinishedFile, _ output: Output, _ texts: FilmCuration
  ) throws(RenderError) -> Bool {
    if span != nil || !texts.keepsAll {
      guard let (source, cut) = movie else { return false }
      try MovieRebuild(
        source: source, cut: cut, times: [], size: facts.stored, sourceSize: facts.stored,
        keepsFrame: true, texts: texts
      ).write(to: target, output: output.name)
      return true
    }
    let file = ByteSource.descriptor(descriptor)
    var offset = 0
    var isWritten = target.replace(with: [])
    while isWritten, offset < file.count {
      let part = file.bytes(at: offset, 1 << 20)
      isWritten = !part.isEmpty && target.append(part)
      offset += part.count
    }
    if !isWritten {
      throw .encodeFailed(output: output.name, "bytes of the film cannot be read or written")
    }
    return true
  }
}
