// Starts `warpstep dap` for VS Code, and offers what the debug adapter cannot: reports and launch files.
'use strict';

const childProcess = require('child_process');
const fs = require('fs');
const path = require('path');
const vscode = require('vscode');

const TYPE = 'warpstep';
const KERNELS = ['.cu', '.ptx', '.wsasm'];

function warpstep() {
    return vscode.workspace.getConfiguration('warpstep').get('path') || 'warpstep';
}

// The file of the command's menu, or the one in the editor.
function chosenFile(uri) {
    const chosen = uri instanceof vscode.Uri ? uri : vscode.window.activeTextEditor?.document.uri;
    return chosen?.scheme === 'file' ? chosen.fsPath : undefined;
}

// The launch file that stands for a program: NAME.yaml beside it, else launch.yaml.
function launchFile(file) {
    if (!KERNELS.includes(path.extname(file)))
        return file;
    const folder = path.dirname(file);
    const candidates = [path.basename(file, path.extname(file)) + '.yaml', 'launch.yaml'];
    return candidates.map((name) => path.join(folder, name)).find((name) => fs.existsSync(name));
}

function configurationOf(program) {
    return {
        type: TYPE,
        request: 'launch',
        name: `Step through ${path.basename(program)}`,
        program,
        cwd: path.dirname(program),
        sms: 1,
        stopOnEntry: true,
    };
}

// Resolves to the launch file of a kernel. Where there is none, the user is asked whether one is written.
async function needLaunchFile(file) {
    const found = launchFile(file);
    if (found !== undefined)
        return found;
    const write = 'Write one';
    const answer = await vscode.window.showInformationMessage(
        `${path.basename(file)} has no launch file: it says how large the grid is and what the buffers hold.`, write);
    return answer === write ? writeLaunchFile(file) : undefined;
}

// Runs the program to its end; resolves to what it printed, rejects with what it complained of.
function runToEnd(words, cwd) {
    return new Promise((resolve, reject) => {
        childProcess.execFile(warpstep(), words, { cwd, maxBuffer: 1 << 24 }, (error, stdout, stderr) => {
            if (error?.code === 'ENOENT')
                reject(new Error(`'${warpstep()}' is not found: set warpstep.path to where the program is`));
            else if (error)
                reject(new Error(stderr.trim() || error.message));
            else
                resolve(stdout);
        });
    });
}

// For commands: a failure is shown, not thrown.
async function shown(promise) {
    try {
        return await promise;
    } catch (error) {
        vscode.window.showErrorMessage(`Warpstep: ${error.message}`);
        return undefined;
    }
}

// What reads files of a workspace that nobody vouches for reads nothing else.
function confinement() {
    return vscode.workspace.isTrusted === false ? ['--confine'] : [];
}

async function writeLaunchFile(file) {
    const out = path.join(path.dirname(file), path.basename(file, path.extname(file)) + '.yaml');
    const done = await shown(runToEnd(['init', file, '-o', out, ...confinement()], path.dirname(file)));
    if (done === undefined)
        return undefined;
    await vscode.window.showTextDocument(vscode.Uri.file(out), { viewColumn: vscode.ViewColumn.Beside });
    return out;
}

async function initCommand(uri) {
    const file = chosenFile(uri);
    if (file !== undefined)
        await writeLaunchFile(file);
}

async function stepCommand(uri) {
    const file = chosenFile(uri);
    const target = file && (await needLaunchFile(file));
    if (target)
        await vscode.debug.startDebugging(vscode.workspace.getWorkspaceFolder(vscode.Uri.file(target)),
            configurationOf(target));
}

async function reportCommand(context, uri) {
    const file = chosenFile(uri);
    const target = file && (await needLaunchFile(file));
    if (!target)
        return;
    const folder = (context.storageUri ?? context.globalStorageUri).fsPath;
    await fs.promises.mkdir(folder, { recursive: true });
    const page = path.join(folder, path.basename(target, '.yaml') + '.html');
    const options = { location: vscode.ProgressLocation.Notification, title: `Simulating ${path.basename(target)}` };
    const done = await vscode.window.withProgress(options, () =>
        shown(runToEnd(['report', target, '-o', page, ...confinement()], path.dirname(target))));
    if (done !== undefined)
        await vscode.env.openExternal(vscode.Uri.file(page));
}

// Types a command of `warpstep step` into the console of the session, and shows what it says.
async function consoleCommand(words) {
    const session = vscode.debug.activeDebugSession;
    if (session?.type !== TYPE)
        return;
    const answer = await shown(session.customRequest('evaluate', { expression: words, context: 'repl' }));
    if (answer?.result)
        vscode.debug.activeDebugConsole.appendLine(answer.result);
}

const configurations = {
    // F5 without a launch.json: the kernel in the editor.
    async resolveDebugConfiguration(folder, configuration) {
        if (configuration.type || configuration.request || configuration.name)
            return configuration;
        const file = chosenFile();
        const target = file && (await needLaunchFile(file));
        return target ? configurationOf(target) : undefined;
    },
    // After ${file} and the like are replaced.
    resolveDebugConfigurationWithSubstitutedVariables(folder, configuration) {
        const confined = vscode.workspace.isTrusted === false && !configuration.confine;
        return confined ? { ...configuration, confine: true } : configuration;
    },
};

const offered = {
    provideDebugConfigurations() {
        const file = chosenFile();
        return file === undefined ? [] : [configurationOf(launchFile(file) ?? file)];
    },
};

const adapters = {
    createDebugAdapterDescriptor(session) {
        const { cwd } = session.configuration;
        return new vscode.DebugAdapterExecutable(warpstep(), ['dap'], cwd ? { cwd } : undefined);
    },
};

function activate(context) {
    const command = (name, body) => vscode.commands.registerCommand(`warpstep.${name}`, body);
    context.subscriptions.push(
        vscode.debug.registerDebugConfigurationProvider(TYPE, configurations),
        vscode.debug.registerDebugConfigurationProvider(TYPE, offered,
            vscode.DebugConfigurationProviderTriggerKind.Dynamic),
        vscode.debug.registerDebugAdapterDescriptorFactory(TYPE, adapters),
        command('step', stepCommand),
        command('report', (uri) => reportCommand(context, uri)),
        command('init', initCommand),
        command('why', () => consoleCommand('why')),
        command('diverge', () => consoleCommand('diverge')),
    );
}

module.exports = { activate };
