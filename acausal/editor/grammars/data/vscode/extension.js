"use strict";

const vscode = require("vscode");
const { LanguageClient, State } = require("./languageclient.js");

let client;

function options() {
  const given = vscode.workspace.getConfiguration("acausal");
  return { path: given.get("path"), timeLimit: given.get("timeLimit"), terminal: true };
}

async function start() {
  const command = vscode.workspace.getConfiguration("acausal").get("command");
  const run = { command: command[0], args: [...command.slice(1), "lsp"] };
  client = new LanguageClient("acausal", "acausal", { run, debug: run }, {
    documentSelector: [{ language: "acausal" }],
    initializationOptions: options(),
    synchronize: { fileEvents: vscode.workspace.createFileSystemWatcher("**/*.{mdl,lib,inc}") },
  });
  try {
    await client.start();
  } catch (error) {
    const hint = "pip install 'acausal[lsp]', and set acausal.command if it is not found";
    vscode.window.showErrorMessage(`The language server of acausal does not start (${error.message}): ${hint}`);
  }
}

function quoted(text) {
  return /^[\w./:\\-]+$/.test(text) ? text : process.platform === "win32" ? `"${text}"` : `'${text.replace(/'/g, "'\\''")}'`;
}

function simulate(file, model) {
  const command = vscode.workspace.getConfiguration("acausal").get("command");
  const terminal = vscode.window.terminals.find((t) => t.name === "acausal") || vscode.window.createTerminal("acausal");
  terminal.show(true);
  terminal.sendText([...command, "simulate", file, "--model", model].map(quoted).join(" "));
}

function showReferences(uri, position, locations) {
  const at = (place) => new vscode.Position(place.line, place.character);
  const places = locations.map((l) => new vscode.Location(
    vscode.Uri.parse(l.uri), new vscode.Range(at(l.range.start), at(l.range.end))));
  return vscode.commands.executeCommand("editor.action.showReferences", vscode.Uri.parse(uri), at(position), places);
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("acausal.simulate", simulate),
    vscode.commands.registerCommand("acausal.showReferences", showReferences),
    vscode.commands.registerCommand("acausal.restart", async () => {
      await deactivate();
      await start();
    }),
  );
  await start();
}

async function deactivate() {
  const running = client;
  client = undefined;
  if (running && running.state !== State.Stopped) {
    await running.stop();
  }
}

module.exports = { activate, deactivate };
