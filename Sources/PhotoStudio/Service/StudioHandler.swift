import Notation
import PhotoBatch
import PhotoRecipes

/// Answers the page's requests.
struct StudioHandler: HTTPServer.Handler {
  let studio: Studio

  func refusal(of request: HTTPRequest) -> HTTPResponse? {
    let isWebSocket = request.fields["upgrade"] != nil
    // A browser cannot add the token to the request for a WebSocket; its first message has it.
    let needsToken = !isWebSocket && file(request) == nil
    if let refusal = studio.access.refusal(of: request, needsToken: needsToken) { return refusal }
    // Only requests with the token have bodies that are read.
    if !needsToken, request.hasBody { return HTTPResponse(400) }
    return isWebSocket && request.path != "/api/live" ? HTTPResponse(404) : nil
  }

  func response(to request: HTTPRequest) -> HTTPResponse {
    if let file = file(request) { return HTTPResponse(200, file.bytes, type: file.type) }
    do { return try answer(request) } catch { return HTTPResponse(error) }
  }

  private func file(_ request: HTTPRequest) -> PageFile? {
    request.method == "GET" ? PageFile.all[request.path] : nil
  }

  /// Serves a page's WebSocket; its first message must have the session's secret.
  func serve(_ socket: WebSocket) {
    let page = LivePage(socket)
    var isKnown = false
    socket.receive { text in
      let json = JSONParser.parse(SourceText(name: "message", text: text)).json
      guard let json else { return socket.end() }
      if !isKnown {
        guard let token = json["token"]?.string, studio.access.isToken(token) else {
          return socket.end()
        }
        isKnown = true
        socket.trust()
        studio.add(page)
        page.send(studio.greeting.compactText)
        return
      }
      if let show = json["show"].flatMap({ LiveRequest($0) }) { studio.live.add(show, from: page) }
    }
    studio.remove(page)
  }

  private func answer(_ request: HTTPRequest) throws -> HTTPResponse {
    let parts = request.path.split(separator: "/").map(String.init)
    guard parts.first == "api" else { return HTTPResponse(404) }
    switch (request.method, parts.dropFirst().first ?? "", parts.count) {
    case ("GET", "session", 2): return HTTPResponse(json: studio.description)
    case ("GET", "photos", 2): return HTTPResponse(json: try photos(request.query))
    case ("GET", "photos", 3): return HTTPResponse(json: try studio.photo(number(parts[2])))
    case ("GET", "photos", 4) where parts[3] == "thumb":
      return try thumbnail(number(parts[2]))
    case ("GET", "photos", 4) where parts[3] == "lacks":
      let searchesFaces = request.query["faces"] == "true"
      let lacks = try studio.thumbnails.lacks(number(parts[2]), searchesFaces: searchesFaces)
      return HTTPResponse(
        json: .object(
          JSON.Object(
            lacks.sorted { $0.key < $1.key }.map {
              JSON.Object.Member($0.key, .string($0.value))
            })))
    case ("POST", "edit", 2):
      guard let edit = try Edit(body(request)) else {
        throw Refusal(400, "the change is malformed", hint: "reload the page")
      }
      let edited = try studio.session.apply(edit)
      return changed(adding: edit.photos == nil ? [:] : ["edited": .integer(edited)])
    case ("POST", "undo", 2):
      try studio.session.undo()
      return changed()
    case ("POST", "redo", 2):
      try studio.session.redo()
      return changed()
    case ("POST", "save", 2): return try save()
    case ("POST", "follow", 2): return try follow(body(request))
    case ("POST", "draft", 2): return try draft(body(request))
    case ("POST", "pin", 3):
      return HTTPResponse(
        json: .object(["pin": .integer(studio.session.pin(try number(parts[2])))]))
    case ("POST", "grey", 2):
      guard let light = try GreyLight(body(request)) else {
        throw Refusal(422, "this place has no colour", hint: "click on something grey that is lit")
      }
      return HTTPResponse(json: light.json)
    case ("POST", "end", 2):
      try studio.session.end(discardsChanges: body(request)["discard"]?.bool ?? false)
      studio.stopSoon()
      return HTTPResponse(json: .object(["ended": .bool(true)]))
    case ("GET", "check", 2): return HTTPResponse(json: try studio.check())
    case ("POST", "run", 2): return HTTPResponse(json: try studio.startRun())
    case ("POST", "stop", 2):
      studio.run.stop()
      studio.checking.stop()
      return HTTPResponse(json: .object([:]))
    case ("GET", "history", 3): return HTTPResponse(json: try studio.history(number(parts[2])))
    case ("POST", "revert", 2): return try revert(body(request))
    default:
      return HTTPResponse(["GET", "POST"].contains(request.method) ? 404 : 405)
    }
  }

  private func number(_ text: String) throws(Refusal) -> Int {
    guard let number = PhotoID.number(text), number < studio.session.library.count else {
      throw Refusal(404, "the photo no longer exists in the library", hint: "reload the page")
    }
    return number
  }

  private func body(_ request: HTTPRequest) throws(Refusal) -> JSON {
    let parsed = JSONParser.parse(SourceText(name: "request", bytes: request.body))
    guard let json = parsed.json, parsed.diagnostics.isEmpty else {
      throw Refusal(400, "the request is not JSON", hint: "reload the page")
    }
    return json
  }

  private func photos(_ query: [String: String]) throws(Refusal) -> JSON {
    guard let start = Int(query["after"] ?? "0"), let limit = Int(query["limit"] ?? "500"),
      start >= 0, (1...1000).contains(limit)
    else { throw Refusal(400, "the range is malformed", hint: "reload the page") }
    return studio.photos(start, limit)
  }

  /// A small picture, with the photo's state as far as it is known.
  private func thumbnail(_ number: Int) throws -> HTTPResponse {
    var response = HTTPResponse(200, try studio.thumbnails.jpeg(number), type: "image/jpeg")
    if let state = studio.state(of: number) { response.fields = [("Photo-State", state)] }
    return response
  }

  /// Without a ticket, returns a description of the loss; with one, reverts.
  private func revert(_ json: JSON) throws -> HTTPResponse {
    guard let wish = Studio.Reversion(json), (wish.photo ?? -1) < studio.session.library.count
    else { throw Refusal(400, "the request is malformed", hint: "reload the page") }
    if wish.ticket == nil { return HTTPResponse(json: try studio.reversion(wish)) }
    let unread = try studio.revert(wish)
    return changed(
      adding: unread.map { unread in
        ["unread": .object(["message": .string(unread.message), "hint": .string(unread.hint)])]
      } ?? [:])
  }

  /// Continues or discards the changes that an earlier studio did not save.
  private func draft(_ json: JSON) throws -> HTTPResponse {
    switch json["action"]?.string {
    case "continue":
      let missing = try studio.session.continueDraft()
      return changed(adding: missing == 0 ? [:] : ["missing": .integer(missing)])
    case "discard":
      try studio.session.discardDraft()
      return changed()
    default: throw Refusal(400, "the request is malformed", hint: "reload the page")
    }
  }

  /// The response to a change of the edit, which all pages receive.
  ///
  /// `facts` are further members of the response: `edited`, the number of photos whose own settings
  /// have changed; `missing`, the number of photos of a draft that are not in the library; or
  /// `unread`, the reason why the library could not be read again.
  private func changed(adding facts: [String: JSON] = [:]) -> HTTPResponse {
    let state = studio.editState
    studio.tell(.object(["changed": state]))
    var object = state.object ?? JSON.Object()
    for (key, value) in facts { object[key] = value }
    return HTTPResponse(json: .object(object))
  }

  /// Takes over what other programs have changed: the recipe's file, and the settings of the photo that
  /// the page shows.
  private func follow(_ json: JSON) throws -> HTTPResponse {
    var object = JSON.Object()
    switch try studio.follow() {
    case .same: break
    case .taken: object["recipe"] = .bool(true)
    case .other(let refusal):
      object["problem"] = .object([
        "message": .string(refusal.message), "hint": .string(refusal.hint),
      ])
    }
    if let photo = try json["photo"]?.string.map({ try number($0) }),
      try studio.follow(photo: photo)
    {
      object["photo"] = .bool(true)
    }
    if object["recipe"] != nil || object["photo"] != nil { object["edit"] = studio.editState }
    return HTTPResponse(json: .object(object))
  }

  private func save() throws -> HTTPResponse {
    defer {
      studio.checking.stop()
      studio.thumbnails.forgetAll()
      studio.states.forget()
    }
    let saved: StudioSession.Saved
    do { saved = try studio.session.save() } catch {
      // A part may be saved, so that other pages have too many unsaved changes.
      studio.tell(.object(["changed": studio.editState]))
      throw error
    }
    let state = studio.editState
    studio.tell(.object(["changed": state]))
    return HTTPResponse(
      json: .object([
        "recipe": .bool(saved.recipe), "photos": .integer(saved.photos),
        "dropped": .array(
          saved.dropped.sorted { $0.key < $1.key }.map { setting, photos in
            .object(["setting": .string(setting), "photos": .integer(photos)])
          }),
        "edit": state,
      ]))
  }
}

extension HTTPResponse {
  /// The response that states the reason of a failure to the page.
  init(_ error: any Error) {
    let stated = PageError(error)
    var object = JSON.Object()
    object["message"] = .string(stated.message)
    object["hint"] = .string(stated.hint)
    if !stated.differences.isEmpty {
      object["differences"] = .array(
        stated.differences.map { difference in
          var entry = JSON.Object()
          entry["name"] = .string(difference.name)
          entry["onDisk"] = difference.onDisk.map(JSON.string)
          entry["mine"] = difference.mine.map(JSON.string)
          return .object(entry)
        })
    }
    self.init(stated.status, json: .object(object))
  }
}
