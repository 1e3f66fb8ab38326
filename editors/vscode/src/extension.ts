import * as vscode from "vscode";
import { LanguageClient, LanguageClientOptions, ServerOptions } from "vscode-languageclient/node";
import { initializationOptions, read, serverCommand } from "./settings";
import { byMark, Mark, StatusMessage } from "./status";

let client: LanguageClient | undefined;

const COLOURS: Record<Mark, string> = { good: "#2da44e", bounded: "#2f6fd0", bad: "#cf222e", open: "#bf8700" };
const styles = new Map<Mark, vscode.TextEditorDecorationType>();
const statuses = new Map<string, StatusMessage>();

function style(mark: Mark): vscode.TextEditorDecorationType {
  let found = styles.get(mark);
  if (!found) {
    found = vscode.window.createTextEditorDecorationType({
      isWholeLine: true,
      overviewRulerColor: COLOURS[mark],
      borderWidth: "0 0 0 3px",
      borderStyle: "solid",
      borderColor: COLOURS[mark],
    });
    styles.set(mark, found);
  }
  return found;
}

function decorate(editor: vscode.TextEditor): void {
  const status = statuses.get(editor.document.uri.toString());
  for (const [mark, functions] of byMark(status?.functions ?? [])) {
    editor.setDecorations(
      style(mark),
      functions.map((one) => ({ range: new vscode.Range(one.line, 0, one.line, 0), hoverMessage: one.words })),
    );
  }
}

async function start(): Promise<void> {
  const configuration = vscode.workspace.getConfiguration("lariat");
  const settings = read((key) => configuration.get(key));
  const server: ServerOptions = serverCommand(settings);
  const options: LanguageClientOptions = {
    documentSelector: [{ scheme: "file", language: "c" }, { scheme: "file", language: "boogie" }, { scheme: "file", language: "fsp" }, { scheme: "file", pattern: "**/*.specs.toml" }],
    initializationOptions: initializationOptions(settings),
  };
  client = new LanguageClient("lariat", "Lariat", server, options);
  client.onNotification("lariat/status", (status: StatusMessage) => {
    const uri = vscode.Uri.parse(status.uri).toString();
    statuses.set(uri, status);
    vscode.window.visibleTextEditors.filter((editor) => editor.document.uri.toString() === uri).forEach(decorate);
  });
  try {
    await client.start();
  } catch (error) {
    const choice = await vscode.window.showErrorMessage(`Lariat does not start: ${error}. Is \`${settings.path}\` installed?`, "Settings");
    if (choice) await vscode.commands.executeCommand("workbench.action.openSettings", "lariat.path");
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const execute = (command: string, ...args: unknown[]) =>
    client?.sendRequest("workspace/executeCommand", { command, arguments: args });
  context.subscriptions.push(
    vscode.commands.registerCommand("lariat.verifyFile", () => {
      const document = vscode.window.activeTextEditor?.document;
      return document && execute("lariat.verify", document.uri.toString());
    }),
    vscode.commands.registerCommand("lariat.cancelAll", () => execute("lariat.cancel")),
    vscode.commands.registerCommand("lariat.restart", async () => {
      await client?.stop();
      await start();
    }),
    vscode.window.onDidChangeVisibleTextEditors((editors) => editors.forEach(decorate)),
    vscode.workspace.onDidChangeTextDocument((event) => statuses.delete(event.document.uri.toString())),
  );
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
