import FileStructure
import PhotoMetadata
import PhotoRecipes
import TestSupport
import Testing

/// Reads the face regions in XMP; ExifTool writes the test files.
@Suite(.enabled(if: ExifTool.isHere)) struct FaceRegionTests {
  private static func faces(_ arguments: [String]) throws -> [Face] {
    let file = try ExifTool.writing(arguments, into: SyntheticPhoto.jpeg(), "jpg")
    return Metadata(of: .bytes(file)).faces
  }

  private static func region(
    _ type: String, _ x: Double, _ width: Double, unit: String = "normalized"
  ) -> String {
    "{Name=Ada,Type=\(type),Area={X=\(x),Y=0.5,W=\(width),H=0.2,Unit=\(unit)}}"
  }

  private static func list(_ regions: [String]) -> String {
    "-XMP-mwg-rs:RegionInfo={AppliedToDimensions={W=320,H=200,Unit=pixel},RegionList=["
      + "\(regions.joined(separator: ","))]}"
  }

  @Test func faceRegionsInXMPAreRead() throws {
    let found = try Self.faces([
      Self.list([Self.region("Face", 0.3, 0.1), Self.region("Face", 0.7, 0.2)])
    ])
    try #require(found.count == 2)
    for (face, wanted) in zip(found, [(0.3, 0.05), (0.7, 0.1)]) {
      #expect(abs(face.centre.x - wanted.0) < 1e-9 && abs(face.centre.y - 0.5) < 1e-9)
      #expect(abs(face.right.x - wanted.1) < 1e-9 && abs(face.down.y - 0.1) < 1e-9)
    }
  }

  @Test func xmpRegionsThatAreNotFacesAreIgnored() throws {
    #expect(try Self.faces([]).isEmpty)
    let found = try Self.faces([
      Self.list([
        Self.region("Pet", 0.2, 0.1), Self.region("Focus", 0.4, 0.1),
        Self.region("Face", 0.6, 0), Self.region("Face", 0.8, 0.1, unit: "pixel"),
      ])
    ])
    #expect(found.isEmpty, "\(found)")
  }

  /// Windows stores regions of people without a region type; a face that is in both XMP
  /// vocabularies is returned once.
  @Test func peopleMarkedByWindowsAreReadAsFaces() throws {
    let people =
      "-XMP-MP:RegionInfoMP={Regions=[{PersonDisplayName=Ada,Rectangle=0.25|, 0.4|, 0.1|, 0.2},"
      + "{PersonDisplayName=Bob,Rectangle=0.8|, 0.4|, 0.1|, 0.2}]}"
    #expect(try Self.faces([people]).count == 2)
    let both = try Self.faces([people, Self.list([Self.region("Face", 0.3, 0.12)])])
    #expect(both.map { ($0.right.x * 200).rounded() } == [12, 10])
  }
}
