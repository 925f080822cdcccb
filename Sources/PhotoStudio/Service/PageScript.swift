/// The modules of the page's script, in one script.
///
/// A browser takes about a fifth of the processor time of opening the page to load them one by one.
/// Each module becomes a function that returns what the module exports, in the order in which a
/// browser would run them. An import is one line, and so is the start of an exported declaration.
struct PageScript {
  private let modules: [String: String]
  private var known: Set<String> = []
  private(set) var text = "const modules = {};\n"

  /// Bundles the module at the path `main` and those that it imports; `modules` has the texts of all
  /// modules by their paths.
  init(_ main: String, _ modules: [String: String]) {
    self.modules = modules
    add(main)
  }

  private mutating func add(_ path: String) {
    guard known.insert(path).inserted, let module = modules[path] else { return }
    var (body, exports) = ("", [String]())
    for line in module.split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("import "), let imported = Import(line) {
        add(imported.path)
        body += imported.names.map { "const \($0) = modules[\"\(imported.path)\"];\n" } ?? "\n"
      } else if line.hasPrefix("export ") {
        let declaration = line.dropFirst("export ".count)
        exports.append(Self.name(declaration))
        body += "\(declaration)\n"
      } else {
        body += "\(line)\n"
      }
    }
    let names = exports.joined(separator: ", ")
    text += "modules[\"\(path)\"] = (() => {\n\(body)return { \(names) };\n})();\n"
  }

  private struct Import {
    let path: String
    /// The names in braces; nil if the module is only run.
    let names: Substring?

    /// Parses `import { a, b } from "/c.js";` or `import "/c.js";`; nil if the text is not a path.
    init?(_ line: Substring) {
      let parts = line.split(separator: "\"", omittingEmptySubsequences: false)
      guard parts.count == 3 else { return nil }
      path = String(parts[1])
      let start = line.firstIndex(of: "{")
      names = start.flatMap { start in line.firstIndex(of: "}").map { line[start...$0] } }
    }
  }

  /// The name that `function a(…`, `async function a(…`, `class A {` or `const a = …` declares.
  private static func name(_ declaration: Substring) -> String {
    let words = declaration.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }
    let keywords: Set<Substring> = ["async", "function", "class", "const"]
    return words.first { !keywords.contains($0) }.map(String.init) ?? ""
  }
}
