import Notation
import Testing

@testable import PhotoRecipes

@Suite struct InputCatalogTests {
  @Test func namesAndExtensionsOfInputFormatsAreUnique() {
    let names = InputCatalog.formats.map(\.name)
    #expect(Set(names).count == names.count)
    let extensions = InputCatalog.formats.flatMap(\.extensions)
    #expect(Set(extensions).count == extensions.count)
    #expect(extensions.allSatisfy { $0 == $0.lowercased() && !$0.contains(".") && $0.count <= 8 })
  }

  @Test func onlyPicturesAndDocumentsAreReadOnRequest() {
    #expect(InputCatalog.requests == ["exr", "fits", "hdr", "pdf", "ppm", "svg"])
    for format in InputCatalog.formats where format.request != nil {
      #expect(format.family == .picture || format.family == .document)
      #expect(format.remedy.contains("\"inputs\""))
    }
  }

  /// If a file contains the signatures of two formats, the signature at its start determines the
  /// format.
  @Test func theFirstMatchingSignatureIsUsed() {
    let jpegThenZIP: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + Array("PK\u{3}\u{4}%PDF-1.7".utf8)
    #expect(InputCatalog.format(of: FileHead(jpegThenZIP), acceptsWeak: true) == .jpeg)
    let gifThenScript = Array("GIF89a/*<svg xmlns='x'>*/".utf8)
    #expect(InputCatalog.format(of: FileHead(gifThenScript), acceptsWeak: true) == .gif)
    let pdfThenJPEG = Array("%PDF-1.4\n".utf8) + [0xFF, 0xD8, 0xFF]
    #expect(InputCatalog.format(of: FileHead(pdfThenJPEG), acceptsWeak: true) == .pdf)
  }

  @Test(arguments: [
    ("<svg>", true), ("\u{FEFF} <svg/>", true),
    ("<?xml version='1.0'?><!-- a --><svg x='1'>", true),
    ("<!DOCTYPE svg [ <!ENTITY a 'b'> ]><s:svg xmlns:s='u'>", true),
    ("<?xml version='1.0'?><html><svg></svg></html>", false), ("<!-- <svg> --><page/>", false),
    ("<!--", false), ("<svgs>", false), ("", false),
  ])
  func anSVGFileIsRecognizedByItsRootElement(_ text: String, _ isDrawing: Bool) {
    let format = InputCatalog.format(of: FileHead(Array(text.utf8)), acceptsWeak: true)
    #expect((format == .svg) == isDrawing, "\(text)")
  }

  @Test func inputSettingsOfARecipeAreRead() throws {
    let recipe = try recipe(#"{"formats": ["svg", "exr"], "frames": 3, "dpi": 300}"#)
    #expect(recipe.inputs.formats == ["exr", "svg"])
    #expect(recipe.inputs.frames == .number(3))
    #expect(recipe.inputs.dpi == 300)
    #expect(recipe.inputs.allows(.svgz) && recipe.inputs.allows(.jpeg))
    #expect(!recipe.inputs.allows(.pdf) && recipe.inputs.allows(.cr3))
    #expect(try Recipe(resolved: recipe.resolved).inputs == recipe.inputs)
    #expect(try self.recipe(#"{"frames": "all"}"#).inputs.frames == .all)
  }

  @Test func inputSettingsWithDefaultValuesDoNotChangeTheFingerprint() throws {
    let plain = try RecipeText().recipe()
    let spelled = try recipe(#"{"formats": [], "frames": "first", "dpi": 72}"#)
    #expect(plain.fingerprint(files: [:]) == spelled.fingerprint(files: [:]))
    #expect(
      try recipe(#"{"frames": 2}"#).fingerprint(files: [:]) != plain.fingerprint(files: [:]))
  }

  @Test(arguments: [
    (#"{"formats": ["psd"]}"#, "there is no optional input format 'psd'"),
    (#"{"formats": [1]}"#, "expected one of"),
    (#"{"frames": 0}"#, "the number of a picture, from 1"),
    (#"{"frames": "none"}"#, "\"first\", \"all\""), (#"{"dpi": 0}"#, "1 to 2400 dpi"),
    (#"{"pages": 1}"#, "pages"), ("[]", "an object such as"),
  ])
  func errorsNameInvalidInputSettings(_ inputs: String, _ words: String) {
    let error = #expect(throws: InvalidDocument.self) { try recipe(inputs) }
    #expect(error?.message.contains(words) == true, "\(error?.message ?? "")")
  }

  private func recipe(_ inputs: String) throws -> Recipe {
    try RecipeText(more: "\"inputs\": \(inputs), ").recipe()
  }
}

extension InputCatalogTests {
  /// A HEIF file with a minimized header is a format of its own: the error names this format, and
  /// no decoder is given a file that it cannot read.
  @Test(arguments: ["avif", "heic"]) func aHEIFFileWithAMinimizedHeaderIsAnUnsupportedFormat(
    _ version: String
  ) {
    let head: [UInt8] = [0, 0, 0, 16] + Array("ftypmif3\(version)".utf8)
    let small = head + [0, 0, 0, 40] + Array("mini".utf8) + [UInt8](repeating: 0, count: 32)
    let format = InputCatalog.format(of: FileHead(small), acceptsWeak: false)
    #expect(format == .minimizedHEIF && format?.isPhoto == false)
    let usual = head + [0, 0, 0, 40] + Array("meta".utf8) + [UInt8](repeating: 0, count: 32)
    #expect(InputCatalog.format(of: FileHead(usual), acceptsWeak: false)?.isPhoto == true)
  }
}
