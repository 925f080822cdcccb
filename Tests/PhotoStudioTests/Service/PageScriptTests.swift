import Testing

@testable import PhotoStudio

@Suite struct PageScriptTests {
  @Test func modulesRunAfterThoseThatTheyImport() {
    let script = PageScript(
      "/main.js",
      [
        "/main.js": "import \"/a.js\";\nimport { f, G } from \"/b.js\";\nf(G);\n",
        "/a.js": "import { G } from \"/b.js\";\nnew G();",
        "/b.js":
          "export async function f(x) {\n  return x;\n}\nexport class G {}\nexport const h = 1;",
      ])
    #expect(
      script.text == """
        const modules = {};
        modules["/b.js"] = (() => {
        async function f(x) {
          return x;
        }
        class G {}
        const h = 1;
        return { f, G, h };
        })();
        modules["/a.js"] = (() => {
        const { G } = modules["/b.js"];
        new G();
        return {  };
        })();
        modules["/main.js"] = (() => {

        const { f, G } = modules["/b.js"];
        f(G);

        return {  };
        })();

        """)
  }

  @Test func thePageHasOneScriptWithAllModules() throws {
    let modules = PageFile.embedded.keys.filter { $0.hasSuffix(".js") }
    #expect(PageFile.all.keys.filter { $0.hasSuffix(".js") } == ["/main.js"])
    let script = String(decoding: try #require(PageFile.all["/main.js"]).bytes, as: UTF8.self)
    for path in modules { #expect(script.contains("modules[\"\(path)\"] = ")) }
    let lines = script.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
    #expect(Set(PageFile.all.keys) == ["/", "/style.css", "/icon.svg", "/main.js"])
  }
}
