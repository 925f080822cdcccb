import Notation
import PhotoBatch
import PhotoRecipes
import PhotoRender

/// One picture that a page requests over its WebSocket.
struct LiveRequest: Sendable {
  /// The number of the request in its page; the message with the picture contains the same number.
  var number: Int
  var photo: Int
  var picture: LivePicture
  /// The settings whose sliders the user is moving; they are not part of the edit yet.
  var moving: [Assignment]
  /// True if these settings are the photo's own, false if they are the recipe's.
  var isPhotosOwn: Bool
  /// The output, the mask or the earlier state that is shown.
  var view: LiveView
  /// The part of the page that shows the picture; a newer request for it replaces an older one.
  var pane: Int

  /// The smallest and the greatest edge of a picture in pixels.
  private static let edges = 64...4096

  /// Decodes a request; nil if it is malformed.
  init?(_ json: JSON) {
    guard let number = json["number"]?.integer,
      let photo = json["photo"]?.string.flatMap(PhotoID.number),
      let box = json["box"]?.array?.compactMap(\.integer), box.count == 2
    else { return nil }
    self.number = number
    self.photo = photo
    func edge(_ asked: Int) -> Int {
      min(max(asked, Self.edges.lowerBound), Self.edges.upperBound)
    }
    picture = LivePicture(longEdge: Self.edges.upperBound)
    picture.box = Size(edge(box[0]), edge(box[1]))
    if var part = json["part"].flatMap({ Rectangle($0) }) {
      part.size = Size(edge(part.size.width), edge(part.size.height))
      picture.part = part
    }
    picture.isMoving = json["moving"]?.bool ?? false
    picture.isUnedited = json["before"]?.bool ?? false
    moving = (json["set"]?.object?.members ?? []).map { Assignment(key: $0.key, value: $0.value) }
    isPhotosOwn = json["own"]?.bool ?? false
    view = LiveView(json)
    picture.output = view.output
    // A run computes the common steps of all outputs once, which can round pixels otherwise.
    view.isAmongOthers = picture.part != nil && !picture.isMoving
    pane = json["pane"]?.integer ?? 0
  }

  /// The number of the pane for pictures that a page has not requested yet.
  private static let aheadPane = 3

  /// The request that a page will probably make next.
  init(ahead photo: Int, _ picture: LivePicture, _ view: LiveView) {
    (number, pane) = (0, Self.aheadPane)
    (self.photo, self.picture, self.view) = (photo, picture, view)
    (moving, isPhotosOwn) = ([], false)
  }

  /// The message that carries a picture: the size of the head, the head as JSON, and the file.
  ///
  /// `revision` is the number of the edit's state that a picture ahead of its request shows.
  func message(
    _ shown: ShownPicture, _ file: [UInt8], milliseconds: Double, revision: Int? = nil
  ) -> [UInt8] {
    var head = JSON.Object()
    head["number"] = .integer(number)
    head["pane"] = .integer(pane)
    head["photo"] = .string(PhotoID.text(photo))
    head["width"] = .integer(shown.size.width)
    head["height"] = .integer(shown.size.height)
    head["fullWidth"] = .integer(shown.fullSize.width)
    head["fullHeight"] = .integer(shown.fullSize.height)
    head["part"] = shown.part.map(\.json)
    head["moving"] = .bool(picture.isMoving)
    head["before"] = .bool(picture.isUnedited)
    head["painted"] = .bool(view.mask != nil)
    head["frame"] = shown.frame.map { .array($0.map(JSON.number)) }
    head["box"] = picture.box.map { .array([.integer($0.width), .integer($0.height)]) }
    head["output"] = view.output.map(JSON.string)
    head["revision"] = revision.map(JSON.integer)
    head["milliseconds"] = .number(milliseconds)
    head["warnings"] = .array(shown.warnings.map(JSON.string))
    let text = JSON.object(head).compactBytes
    let length = [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: text.count >> $0) }
    return length + text + file
  }

  /// The message with the reason why there is no picture.
  func problem(_ text: String, hint: String) -> String {
    JSON.object([
      "problem": .object([
        "number": .integer(number), "pane": .integer(pane),
        "photo": .string(PhotoID.text(photo)), "message": .string(text), "hint": .string(hint),
      ])
    ]).compactText
  }
}
