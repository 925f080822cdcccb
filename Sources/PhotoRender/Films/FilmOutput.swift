import FileStructure
import PhotoMetadata
import PhotoRecipes
import Vips

/// One rendition of a film while its frames are rendered.
final class FilmOutput {
  let output: Output
  /// The rendition's name in warnings.
  private let title: String
  /// The index of the output in the pipeline.
  let number: Int
  /// The size of the upright frames, both edges even.
  let size: Size
  private let film: FilmPhoto
  /// The orientation in which the frames are stored; players of WebM show frames as they are stored.
  private let orientation: Orientation
  private let target: FinishedFile
  /// The film's container, whose picture is replaced; nil if the container is written anew.
  private let movie: MovieSource?
  /// The part of this container that is rendered; nil for the whole film.
  private let cut: MovieCut?
  /// The file with only the new picture, if the picture is put into the film's own container.
  private let pictureFile: TemporaryFile?
  private let writer: any FilmWriter
  private let keepsFrame: Bool
  /// Selects the film's texts, places and dates.
  private let texts: FilmCuration
  private var times: [Int64] = []
  private(set) var warnings: [String] = []

  /// Begins a rendition; `reader` must not have delivered a frame.
  init(
    _ output: Output, _ number: Int, _ end: Pipeline.Output, _ film: FilmPhoto,
    _ group: FilmGroup, _ reader: any FilmReader, target: Int32, record: Int32?, keepsFrame: Bool,
    texts: FilmCuration, threads: Int
  ) throws(RenderError) {
    let movie = group.movie
    guard let format = output.format as? any FilmFormat else {
      throw .encodeFailed(output: output.name, "the output is not a film")
    }
    (self.output, self.number, self.film) = (output, number, film)
    title = film.belongsToPhoto ? "the film of '\(output.name)'" : "'\(output.name)'"
    (self.movie, cut) = (movie, group.cut)
    let isUpright = format is WebMFormat
    orientation = isUpright ? .upright : film.facts.orientation
    (self.target, self.keepsFrame) = (FinishedFile(descriptor: target), keepsFrame)
    self.texts = texts
    warnings += texts.warnings
    size = Size(max(2, end.size.width & ~1), max(2, end.size.height & ~1))
    if size != end.size {
      warnings.append(
        "\(title) is \(size) pixels, not \(end.size): a film has an even width and height")
    }
    do throws(ExternalFailure) {
      pictureFile = movie == nil ? nil : try TemporaryFile()
    } catch {
      throw .encodeFailed(output: output.name, error.message)
    }
    let codec = try Self.codec(of: format, film, output)
    let wanted = EncodedFilm(
      container: movie.map { $0.isQuickTime ? "mov" : "mp4" } ?? type(of: format).name,
      codec: codec, quality: format.coding.quality, effort: format.coding.effort,
      size: orientation.swapsEdges ? size.turned : size, isUpright: isUpright,
      coding: film.facts.coding.written(as: output, bits: end.depth),
      threads: threads, copiesTracks: movie == nil,
      texts: movie == nil ? texts.texts(reader.texts, for: format) : [],
      segment: film.facts.segment, record: record)
    let made = try reader.writer(to: pictureFile?.descriptor ?? target, wanted)
    writer = made.writer
    if !made.lost.isEmpty && movie == nil { addLost(made.lost) }
    if let sound = writer.convertedSound, sound.isMixed {
      warnings.append(
        "the sound of \(title) is mixed down to stereo, because \(sound.codec) has no"
          + " layout for its channels")
    }
  }

  private static func codec(
    of format: any FilmFormat, _ film: FilmPhoto, _ output: Output
  ) throws(RenderError) -> String {
    let codec = format.codec(for: film.facts)
    guard film.codec.encodes(codec) else {
      throw .unsupportedFilm("this machine has no encoder for \(codec)")
    }
    return codec
  }

  private func addLost(_ what: String) {
    warnings.append("not in \(title): the film's \(what)")
  }

  /// Encodes a frame that the pipeline has rendered upright.
  func add(_ image: Image, at time: Int64) throws(RenderError) {
    let samples: [UInt8]
    do throws(VipsError) {
      samples = try image.cut(to: size).turned(back: orientation).pixels()
    } catch {
      throw RenderError(error)
    }
    try writing { () throws(RenderError) in try writer.add(samples, at: time) }
    times.append(time)
  }

  /// The number of frames that an interrupted rendering has encoded.
  var recorded: Int { writer.recorded }

  /// Continues after this number of frames of an interrupted rendering.
  func resume(after frames: Int) { writer.resume(after: frames) }

  /// Takes a frame, at its time, from the interrupted rendering.
  func replay(at time: Int64, isLast: Bool) throws(RenderError) {
    try writing { () throws(RenderError) in
      try writer.replay(through: isLast ? .max : time)
    }
    times.append(time)
  }

  /// Calls `body`, which may write the picture of the film to its temporary file.
  private func writing(_ body: () throws(RenderError) -> Void) throws(RenderError) {
    try RenderError.writing(pictureFile.map { [$0.descriptor] } ?? [], body)
  }

  /// Completes the file.
  func finish(_ reader: any FilmReader) throws(RenderError) {
    try writing { () throws(RenderError) in try writer.finish() }
    if writer.convertedSound?.isDamaged == true {
      warnings.append("the sound of \(title) is silent where that of the film is damaged")
    }
    guard let movie, let pictureFile else {
      let known = reader.texts.filter { $0.track == nil }.map { (key: $0.key, text: $0.value) }
      if !(output.format is WebMFormat), !target.append(texts.packet(texts.camera(in: known))) {
        throw .encodeFailed(output: output.name, "the file cannot be written")
      }
      return
    }
    do throws(MovieObstacle) {
      let picture = try MovieSource(.descriptor(pictureFile.descriptor), picture: 1)
      let rebuild = MovieRebuild(
        source: movie, picture: picture, cut: cut, times: times,
        size: film.facts.orientation.swapsEdges ? size.turned : size,
        sourceSize: film.facts.stored, keepsFrame: keepsFrame, texts: texts)
      do throws(RenderError) { try rebuild.write(to: target, output: output.name) } catch {
        throw .damaged(error.message)
      }
      if texts.keepsAll || movie.tracks.contains(where: { $0.handler == "vide" }) {
        let lost = rebuild.lost
        if !lost.isEmpty { addLost(lost.joined(separator: ", ")) }
      }
    } catch {
      switch error {
      case .unfit(let detail), .damaged(let detail):
        throw .encodeFailed(output: output.name, detail)
      }
    }
  }
}

extension FilmFacts {
  /// The number of frames that one encoder encodes: at least 250, the usual distance of key frames,
  /// and those of five seconds.
  var segment: Int { max(250, Int((5 * min(rate, 1000)).rounded(.up))) }
}

extension FilmFormat {
  /// The codec of a film's picture in this format.
  func codec(for facts: FilmFacts) -> String {
    if coding.codec != .source { return coding.codec.rawValue }
    let stored =
      switch self {
      case is WebMFormat: ["vp9", "av1"]
      case is MOVFormat: ["h264", "hevc"]
      default: ["h264", "hevc", "av1", "vp9"]
      }
    return stored.contains(facts.codec) ? facts.codec : stored[0]
  }
}

extension FilmCuration {
  /// The texts of a film that is written to a new container.
  fileprivate func texts(_ known: [FilmText], for format: any FilmFormat) -> [FilmText] {
    let kept = known.compactMap { old in
      text(old.key, old.value).map { FilmText(track: old.track, key: old.key, value: $0) }
    }
    let own = kept.filter { $0.track == nil }.map { (key: $0.key, text: $0.value) }
    let ofTracks = kept.filter { $0.track != nil }
    if !(format is WebMFormat) {
      return kept + (translated(own) + tags).map { FilmText(key: $0.key, value: $0.text) }
    }
    let all = matroskaTags(own) + tags + (mark.map { [("DERIVED_FROM", $0)] } ?? [])
    return all.map { FilmText(key: $0.key, value: $0.text) } + ofTracks
  }
}

extension FilmColours {
  /// The coding of a rendition in the colour space of an output.
  func written(as output: Output, bits depth: Int) -> FilmColours {
    var coding = self
    coding.bits = depth > 8 ? 10 : 8
    if let transfer = output.hdr {
      coding.primaries = CodePoints(transfer, output.profile).primaries
      return coding
    }
    switch output.profile {
    case .srgb: (coding.primaries, coding.transfer) = (1, 1)
    case .displayP3: (coding.primaries, coding.transfer) = (12, 1)
    default: return coding
    }
    // The constants of BT.2020 belong to its primaries.
    if coding.matrix == 9 { coding.matrix = 1 }
    return coding
  }
}

extension Image {
  /// The image in `size`: cut at its right and lower edges, or extended there by repeating the
  /// edge.
  fileprivate func cut(to size: Size) throws(VipsError) -> Image {
    if width == size.width && height == size.height { return self }
    let image =
      width < size.width || height < size.height
      ? try applying(
        "embed",
        [
          "x": .integer(0), "y": .integer(0), "width": .integer(max(width, size.width)),
          "height": .integer(max(height, size.height)), "extend": .choice("copy"),
        ]) : self
    return try image.applying(
      "extract_area",
      [
        "left": .integer(0), "top": .integer(0), "width": .integer(size.width),
        "height": .integer(size.height),
      ])
  }

  /// The upright image, rotated to the way in which a file with this orientation stores it.
  fileprivate func turned(back orientation: Orientation) throws(VipsError) -> Image {
    let (flip, quarters) = orientation.correction
    var image = self
    if quarters > 0 {
      // Turning reads columns, so the rows must be in memory.
      image = try image.materialized()
        .applying("rot", ["angle": .choice(["d0", "d270", "d180", "d90"][quarters])])
    }
    return flip ? try image.applying("flip", ["direction": .choice("horizontal")]) : image
  }
}
