import Notation
import PhotoRecipes
import Synchronization
import Vips

/// A cache of the lookup tables that this process has read, so that each table is read once, not
/// for every photo.
final class LookupTables: Sendable {
  static let shared = LookupTables()

  private struct Entry {
    let bytes: [UInt8]
    /// The image from which the table was read; nil if the table is a text file.
    let image: NamedImage?
    let table: LookupTable
  }

  /// The memory in bytes for `numbers` values of colour cubes: the values are copied to four
  /// layouts of 32-bit floats before the kernel reads them.
  static func bytes(numbers: Int) -> Int { 4 * 4 * numbers }

  /// The maximum number of cached tables.
  ///
  /// The limit is higher than the number of tables in a recipe, and a worker renders only one
  /// recipe.
  private static let longest = 16
  private let entries = Mutex<[String: Entry]>([:])

  /// Returns the graph with the tables in place of the file names in its programs.
  ///
  /// - Throws: `unreadableFile` for a file that is not a table, `unsupportedFile`,
  ///   `tooManyFilePixels`.
  func completed(
    _ graph: Graph, _ files: [String: [UInt8]], _ limits: RenderLimits
  ) throws(RenderError) -> Graph {
    var tables: [String: LookupTable] = [:]
    for file in graph.lookups {
      tables[file.path] = try table(file, files, limits)
    }
    return graph.looking(up: tables)
  }

  /// Returns the table that a file contains, and caches it.
  ///
  /// - Throws: `unreadableFile` for a file that is not a table, `unsupportedFile`,
  ///   `tooManyFilePixels`.
  func table(
    _ file: NamedFile, _ files: [String: [UInt8]], _ limits: RenderLimits
  ) throws(RenderError) -> LookupTable {
    let path = file.path
    guard let bytes = files[path] else { throw .unreadableFile(path, "the file was not opened") }
    let known = entries.withLock { $0[path] }
    if let known, known.bytes == bytes {
      try known.image?.check(limits)
      return known.table
    }
    let isText = LookupFile(name: path, bytes: bytes).isCube
    let image: NamedImage? = try isText ? nil : NamedImage(file, .bytes(bytes))
    try image?.check(limits)
    let table = try Self.read(path, bytes)
    entries.withLock { entries in
      if entries.count >= Self.longest { entries = [:] }
      entries[path] = Entry(bytes: bytes, image: image, table: table)
    }
    return table
  }

  private static func read(_ path: String, _ bytes: [UInt8]) throws(RenderError) -> LookupTable {
    let file = LookupFile(name: path, bytes: bytes)
    if !file.isCube { return LookupTable(cube: try ColourCube(hald: bytes, named: path)) }
    do throws(InvalidDocument) { return try file.table() } catch {
      throw .unreadableFile(path, error.message)
    }
  }
}

extension ColourCube {
  /// The cube of a HaldCLUT file; its values are used directly, without its colour profile.
  ///
  /// - Throws: `unreadableFile` for a file that is not a HaldCLUT.
  init(hald bytes: [UInt8], named path: String) throws(RenderError) {
    do throws(VipsError) {
      var image = try Image.recognised(
        bytes, ifSupported: ["fail-on": .choice("truncated")])
      let isDeep = image.format == .ushort
      guard HaldImage.level(of: Size(image.width, image.height)) != nil else {
        throw .failed(operation: "lut", detail: "a HaldCLUT cannot have this size")
      }
      image = try image.applying("colourspace", ["space": .choice(isDeep ? "rgb16" : "srgb")])
      image = try image.applying("extract_band", ["band": .integer(0), "n": .integer(3)])
      image = try image.applying(
        "linear", ["a": .numbers([1 / (isDeep ? 65_535.0 : 255)]), "b": .numbers([0])])
      let size = Size(image.width, image.height)
      guard let cube = HaldImage.cube(size: size, samples: try image.samples(as: Float.self))
      else { throw .failed(operation: "lut", detail: "a HaldCLUT cannot have this size") }
      self = cube
    } catch {
      throw .unreadableFile(path, error.reason)
    }
  }
}
