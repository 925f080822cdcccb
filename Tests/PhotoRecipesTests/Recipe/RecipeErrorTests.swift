import Notation
import Testing

@testable import PhotoRecipes

/// Tests the exact messages for invalid recipes.
@Suite struct RecipeErrorTests {
  private func text(_ recipe: RecipeText, set: String...) -> String {
    diagnostics(recipe.text, set: set).map(\.description).joined(separator: "\n")
  }

  private func text(_ recipe: String) -> String {
    diagnostics(recipe).map(\.description).joined(separator: "\n")
  }

  @Test func anUnknownFilterIsRefused() {
    let recipe = """
      {
        "identifier": "org.example.test", "version": "1.0.0",
        "filters": [
          { "filter": "exposur", "stops": 1 }
        ],
        "outputs": [ { "name": "web", "format": "jpeg" } ]
      }
      """
    #expect(
      text(recipe) == """
        recipe.json:4:17: error: there is no filter 'exposur', at $.filters[0].filter
          |     { "filter": "exposur", "stops": 1 }
          |                 ^
          hint: did you mean 'exposure'?
        """)
  }

  @Test func anUnknownKeyIsRefused() {
    let recipe =
      "{\n  \"identifer\": \"a.b\", \"version\": \"1.0.0\",\n  \"identifier\": \"a.b\",\n"
      + "  \"outputs\": [ { \"name\": \"web\", \"format\": \"jpeg\" } ]\n}"
    #expect(
      text(recipe) == """
        recipe.json:2:3: error: the recipe has no key 'identifer', at $.identifer
          |   "identifer": "a.b", "version": "1.0.0",
          |   ^
          hint: did you mean 'identifier'?
        """)
  }

  @Test func aValueOutOfRangeIsRefused() {
    #expect(
      text(
        RecipeText(
          head: "\n" + RecipeText().head, filters: "\n[{\"filter\":\"exposure\",\"stops\":11}]"))
          == """
          recipe.json:3:31: error: 11 is out of range: expected a number from -10 to 10 stops, at $.filters[0].stops
            | [{"filter":"exposure","stops":11}], "outputs": [{ "name": "web", "format": "jpeg" }] }
            |                               ^
          """)
  }

  @Test func aWrongTypeIsRefused() {
    let recipe = RecipeText(filters: "\n[{\"filter\":\"flip\",\"enabled\":\"yes\"}]\n")
    #expect(
      text(recipe) == """
        recipe.json:2:29: error: found the string "yes", expected true or false, at $.filters[0].enabled
          | [{"filter":"flip","enabled":"yes"}]
          |                             ^
        """)
  }

  @Test func aTextInPlaceOfANumberOrWordIsRefused() {
    let recipe = RecipeText(outputs: "\n[{\"name\":\"a\",\"format\":\"jpeg\",\"quality\":\"80\"}]")
    #expect(
      diagnostics(recipe).map(\.problem.message) == [
        #"found the string "80", expected a whole number from 1 to 100, or "source""#
      ])
  }

  @Test func anIdentifierThatIsTooLongIsRefused() {
    let name = "org." + String(repeating: "a", count: RecipeIdentifier.longest - 3)
    let found = diagnostics(RecipeText(head: #""identifier": "\#(name)", "version": "1.0.0""#))
    #expect(found.map(\.path.description) == ["$.identifier"])
    #expect(found.map(\.problem.message) == ["found 201 characters, expected at most 200"])
  }

  @Test func anIdentifierInHandlesThatIsTooLongIsRefused() {
    let name = "org." + String(repeating: "a", count: RecipeIdentifier.longest - 3)
    let found = diagnostics(RecipeText(more: #""handles": ["\#(name)@^1.0.0"], "#))
    #expect(found.map(\.path.description) == ["$.handles[0]"])
    #expect(
      found.map(\.problem.message) == [
        "found 201 characters, expected at most 200 in the identifier"
      ])
  }

  @Test func anEmptySettingThatAFilterNeedsIsNotCalledMissing() {
    let found = diagnostics(RecipeText(filters: #"[{"filter": "text", "content": ""}]"#))
    #expect(found.map(\.path.description) == ["$.filters[0].content"])
    #expect(found.map(\.problem.message) == ["'content' is empty"])
    let missing = diagnostics(RecipeText(filters: #"[{"filter": "text"}]"#))
    #expect(missing.map(\.problem.message) == ["'text' lacks the key 'content'"])
  }

  @Test func anUnknownChoiceIsRefused() {
    let recipe = RecipeText(filters: "\n[{\"filter\":\"flip\",\"direction\":\"vertcal\"}]\n")
    #expect(
      text(recipe) == """
        recipe.json:2:31: error: found "vertcal", expected one of horizontal, vertical, at $.filters[0].direction
          | [{"filter":"flip","direction":"vertcal"}]
          |                               ^
          hint: did you mean 'vertical'?
        """)
  }

  @Test func anUnknownUnitIsRefused() {
    let recipe = RecipeText(filters: "\n[{\"filter\":\"crop\",\"left\":\"5pt\"}]\n")
    #expect(
      text(recipe) == """
        recipe.json:2:26: error: the string "5pt" cannot be read: expected pixels such as 1600, a fraction such as 0.5 or "50%", or a length such as "3cm", at $.filters[0].left
          | [{"filter":"crop","left":"5pt"}]
          |                          ^
        """)
  }

  @Test func contradictorySettingsAreRefused() {
    let recipe = RecipeText(
      filters: "\n[{\"filter\":\"levels\",\"black\":0.8,\"white\":0.2}]\n")
    #expect(
      text(recipe) == """
        recipe.json:2:2: error: 'black' 0.8 is not below 'white' 0.2, at $.filters[0]
          | [{"filter":"levels","black":0.8,"white":0.2}]
          |  ^
          hint: keep at least 0.001 between them
        """)
  }

  @Test func aTruncatedRecipeIsRefused() {
    #expect(
      text("{\n  \"identifier\": \"a.b\",\n  \"outputs\": [ {\n\n") == """
        recipe.json:3:17: error: the text ends inside an object, at $.outputs[0]
          |   "outputs": [ {
          |                 ^
          hint: the file may be cut off; add the missing quotation mark or bracket
        """)
  }

  @Test func aDuplicateKeyIsRefused() {
    let recipe = RecipeText(more: "\n\"title\": \"a\", \"title\": \"b\",\n")
    #expect(
      text(recipe) == """
        recipe.json:2:15: error: the key 'title' occurs twice in one object, at $.title
          | "title": "a", "title": "b",
          |               ^
          hint: remove one of the two
        """)
  }

  @Test func anUnknownParameterIsRefused() {
    let recipe = RecipeText(
      filters: "\n[{\"filter\":\"resize\",\"longEdge\":\"${egde}\"}]\n",
      more: "\"parameters\": { \"edge\": { \"default\": 5 } }, ")
    #expect(
      text(recipe) == """
        recipe.json:2:33: error: there is no parameter 'egde', at $.filters[0].longEdge
          | [{"filter":"resize","longEdge":"${egde}"}]
          |                                 ^
          hint: did you mean 'edge'?
        """)
  }

  @Test func anInsertedValueOfAnotherTypeIsRefused() {
    let recipe = RecipeText(
      filters: "\n[{\"filter\":\"exposure\",\"stops\":\"${s}\"}]\n",
      more: "\"parameters\":\n{ \"s\": { \"default\": true } }, ")
    #expect(
      text(recipe) == """
        recipe.json:3:31: error: found true, expected a number from -10 to 10 stops, at $.filters[0].stops
          | [{"filter":"exposure","stops":"${s}"}]
          |                               ^
          note: '${s}' is true, which was set at recipe.json:2:21
        """)
  }

  @Test func aPathOutsideTheLibraryIsRefused() {
    let recipe = RecipeText(
      outputs: "[\n{\"name\":\"a\",\"format\":\"png\",\"path\":\"é/../{stem}\"},\n"
        + "{\"name\":\"b\",\"format\":\"png\",\"path\":\"/{stem}\"}\n]")
    #expect(
      text(recipe) == """
        recipe.json:2:38: error: the '..' at character 3 would lead out of the output folder, at \
        $.outputs[0].path
          | {"name":"a","format":"png","path":"é/../{stem}"},
          |                                      ^
          hint: begin with '{root}/' for the output folder, and continue with folders below it
        recipe.json:3:36: error: the '/' at character 1 would lead out of the output folder, at \
        $.outputs[1].path
          | {"name":"b","format":"png","path":"/{stem}"}
          |                                    ^
          hint: begin with '{root}/' for the output folder
        """)
  }

  @Test func collidingPathsAreRefused() {
    let recipe = RecipeText(
      outputs: "[\n{\"name\":\"a\",\"format\":\"jpeg\",\"path\":\"{stem}.b.jpg\"},\n"
        + "{\"name\":\"b\",\"format\":\"jpeg\"}\n]")
    #expect(
      text(recipe) == """
        recipe.json:3:9: error: the outputs 'a' and 'b' would both write '{stem}.b.jpg', at $.outputs[1].name
          | {"name":"b","format":"jpeg"}
          |         ^
          hint: put '{output}' into one of the paths, or give one output another folder
        """)
  }

  @Test func webSetsWithTheSameManifestAreRefused() {
    func set(_ name: String, _ more: String = "") -> String {
      #"{"name":"\#(name)","kind":"webSet","widths":[100],"formats":["jpeg"]\#(more)}"#
    }
    let own = RecipeText(outputs: "[\(set("p")), \(set("q"))]")
    #expect(text(own).isEmpty)
    let manifest = #","manifest":"p.json""#
    #expect(
      text(RecipeText(outputs: "[\(set("p")),\n\(set("q", manifest))\n]")) == """
        recipe.json:2:74: error: the web sets 'p' and 'q' would both write 'p.json', at $.outputs[1].manifest
          | {"name":"q","kind":"webSet","widths":[100],"formats":["jpeg"],"manifest":"p.json"}
          |                                                                          ^
          hint: give one of them another "manifest"
        """)
  }

  @Test(arguments: [
    (#"[100,100]"#, #"["jpeg"]"#, "the width 100 is used twice"),
    (#"[100]"#, #"["jpeg",{"format":"jpeg"}]"#, "the format 'jpeg' is used twice"),
  ])
  func aWebSetWithARepeatedWidthOrFormatIsRefused(
    _ widths: String, _ formats: String, _ message: String
  ) {
    let set = #"[{"name":"p","kind":"webSet","widths":\#(widths),"formats":\#(formats)}]"#
    let found = diagnostics(RecipeText(outputs: set)).map(\.problem)
    #expect(found.map(\.message) == [message])
    #expect(found.map(\.hint) == ["remove one of the two"])
  }

  @Test func errorsInASetArgumentAreReported() {
    #expect(
      text(RecipeText(filters: #"[{ "filter": "exposure" }]"#), set: "exposure.stops=20") == """
        --set:1:16: error: 20 is out of range: expected a number from -10 to 10 stops, at $.filters[0].stops
          | exposure.stops=20
          |                ^
        """)
  }

  @Test func longLinesAreShortenedAroundTheMarkedPosition() throws {
    let recipe = RecipeText(
      filters: #"[{ "filter": "exposure", "stops": 11 }]"#, more: String(repeating: " ", count: 150)
    )
    let lines = text(recipe).split(separator: "\n")
    let caret = try #require(Array(lines[2]).firstIndex(of: "^"))
    #expect(lines[1].dropFirst(caret).hasPrefix("11 }]"))
    #expect(lines[1].hasPrefix("  | …") && lines[1].count < 110)
  }

  @Test func controlCharactersAreEscapedInMessages() {
    let recipe = RecipeText(more: #""\u001b[31m\u202e": 1, "variant": "a\nb", "#)
    let text = text(recipe)
    #expect(text.unicodeScalars.allSatisfy { $0 == "\n" || ($0.value >= 32 && $0.value != 0x202E) })
    #expect(text.contains(#"has no key '\u{1b}[31m\u{202e}'"#))
  }

  @Test func allErrorsOfARecipeAreReportedInTheOrderOfTheText() {
    let recipe = """
      { "version": "1", "titel": "x",
        "select": { "include": ["[a"], "where": { "widht": 5, "width": ">>5", "date": "yesterday" } },
        "parameters": { "p": { "default": 5, "max": 3 }, "q": 1 },
        "handles": ["x"],
        "filters": [ 5, {}, { "filter": "blurr", "opacity": 2 }, { "filter": "blur", "radius": -1, "z": 1 },
          { "filter": "flip", "id": "a.b" }, { "filter": "hue", "opacity": 0 }, { "filter": "hue" } ],
        "outputs": [ { "name": "a b", "format": "bmp", "path": "{x}", "dpi": "many", "filters": [ { "filter": "x" } ] },
          { "format": "jpeg", "quality": 0, "metadata": "no", "profile": "no" } ] }
      """
    let places = diagnostics(recipe).compactMap { diagnostic in
      diagnostic.location.map {
        let position = $0.source.position(of: $0.offset)
        return "\(position.line) \(diagnostic.path)"
      }
    }
    #expect(
      places == [
        "1 $", "1 $.version", "1 $.titel", "2 $.select.include[0]", "2 $.select.where.widht",
        "2 $.select.where.width", "2 $.select.where.date", "3 $.parameters.p.default",
        "3 $.parameters.q", "4 $.handles[0]", "5 $.filters[0]", "5 $.filters[1]",
        "5 $.filters[2].filter", "5 $.filters[2].opacity", "5 $.filters[3].radius",
        "5 $.filters[3].z", "6 $.filters[4].id", "6 $.filters[6].filter", "7 $.outputs[0].name",
        "7 $.outputs[0].format", "7 $.outputs[0].path", "7 $.outputs[0].dpi",
        "7 $.outputs[0].filters[0].filter", "8 $.outputs[1]", "8 $.outputs[1].quality",
        "8 $.outputs[1].metadata", "8 $.outputs[1].profile",
      ])
  }

  @Test(arguments: ["[]", "5", "\"x\"", "null"])
  func aTextThatIsNotARecipeIsRefused(_ text: String) {
    let found = diagnostics(text)
    #expect(found.count == 1)
    guard case .wrongType? = found.first?.problem else {
      Issue.record("\(found)")
      return
    }
  }

  @Test func outputsWithTheSameNameOrPathAreRefused() {
    let outputs = #"[{"name":"a","format":"png"},{"name":"a","format":"jpeg"}]"#
    #expect(
      diagnostics(RecipeText(outputs: outputs)).map(\.problem) == [.duplicate("a", kind: "output")])
    #expect(diagnostics(RecipeText(outputs: outputs.replacing("jpeg", with: "png"))).count == 1)
    let current =
      #"[{"name":"a","format":"png","current":true},{"name":"b","format":"png","current":true}]"#
    #expect(
      diagnostics(RecipeText(outputs: current)).map(\.path.description) == ["$.outputs[1].current"])
    #expect(diagnostics(RecipeText(outputs: "[]")).map(\.path.description) == ["$.outputs"])
  }

  @Test(arguments: [
    ("{stem}.jpg", "{stem}.jpg", true), ("{stem}.{ext}", "{stem}.jpg", true),
    ("{stem}.{output}.jpg", "{stem}.a.jpg", true), ("{variant}/{stem}", "v/{stem}", true),
    ("{recipe}-{stem}", "test-{stem}", true), ("{root}/{stem}.jpg", "{stem}.jpg", false),
    ("{stem}.{output}.jpg", "{stem}.{output}.jpg", false), ("{name}.jpg", "{stem}.jpg", false),
    ("{stem}-{width}.jpg", "{stem}-{width}.jpg", false), ("{digest}", "{digest}", false),
  ])
  func onlyOutputPathsThatMayCoincideAreRefused(_ first: String, _ second: String, _ collide: Bool)
  {
    let outputs = """
      [{"name":"a","format":"jpeg","path":"\(first)"},{"name":"b","format":"jpeg","path":"\(second)"}]
      """
    let found = diagnostics(RecipeText(outputs: outputs, more: #""variant": "v", "#))
    #expect(found.map(\.path.description) == (collide ? ["$.outputs[1].path"] : []))
  }

  @Test func aPathThatNamesTheVariantNeedsAVariant() {
    let outputs = #"[{"name":"a","format":"jpeg","path":"{variant}/{stem}"}]"#
    #expect(diagnostics(RecipeText(outputs: outputs)).count == 1)
    #expect(diagnostics(RecipeText(outputs: outputs, more: #""variant": "v", "#)).isEmpty)
  }

  /// A slash separates folders even if a combining mark follows, with which Swift joins the slash
  /// to a single character.
  @Test func combiningMarksDoNotHideASlash() {
    #expect(throws: PathTemplateError.emptyPart("..", position: 1)) {
      try PathTemplate("../\u{301}x")
    }
    #expect(throws: Never.self) { try PathTemplate("{stem}\u{301}") }
  }

  @Test(arguments: [
    ("{stem}\0", PathTemplateError.notAName("{stem}\0")),
    (".phbatch/{stem}.jpg", PathTemplateError.reservedName(".phbatch")),
    ("{root}/.PHBatch/{stem}.jpg", PathTemplateError.reservedName(".PHBatch")),
    (".phbatch\u{301}{stem}", PathTemplateError.reservedName(".phbatch\u{301}{stem}")),
    (".phbatch-{stem}.tmp", PathTemplateError.reservedName(".phbatch-{stem}.tmp")),
    ("a/{name}.phbatch.json", PathTemplateError.reservedName("{name}.phbatch.json")),
    ("{stem}.PHBATCH.JSON", PathTemplateError.reservedName("{stem}.PHBATCH.JSON")),
  ])
  func pathsThatNoRunCanWriteAreRefused(_ path: String, _ error: PathTemplateError) {
    #expect(throws: error) { try PathTemplate(path) }
  }

  @Test(arguments: ["x.phbatch/{stem}", "{stem}.phbatch.jpg", "{stem}.phbatch.{ext}"])
  func pathsThatOnlyResembleReservedNamesAreAllowed(_ path: String) {
    #expect(throws: Never.self) { try PathTemplate(path) }
  }

  @Test func repeatedIdsAmongTheStepsOfAnOutputAreRefused() {
    let twice = RecipeText(
      filters: #"[{"filter":"hue"},{"filter":"hue","id":"b"},{"filter":"hue"}]"#)
    #expect(diagnostics(twice).map(\.path.description) == ["$.filters[2].filter"])
    let shared = RecipeText(
      filters: #"[{"filter":"hue"}]"#,
      outputs: #"[{"name":"a","format":"png","filters":[{"filter":"blur","id":"hue"}]}]"#)
    #expect(diagnostics(shared).map(\.path.description) == ["$.outputs[0].filters[0].id"])
    let apart = RecipeText(
      outputs: #"[{"name":"a","format":"png","filters":[{"filter":"hue"}]},"#
        + #"{"name":"b","format":"png","filters":[{"filter":"hue"}]}]"#)
    #expect(diagnostics(apart).isEmpty)
  }

  @Test func commentsInARecipeAreAllowed() {
    let recipe = RecipeText(
      filters: #"[{"filter":"hue","comment":"c"}]"#,
      outputs: #"[{"name":"a","format":"png","comment":"c"}]"#,
      more: #""comment": "c", "select": { "comment": "c" }, "#)
    #expect(diagnostics(recipe).isEmpty)
    #expect(diagnostics(RecipeText(more: #""select": { "comment": 5 }, "#)).count == 1)
  }
}
