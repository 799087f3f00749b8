// As much of VS Code's interface as the extension in editors/vscode uses, so that it can be tried without the
// editor. load() gives the extension, activated, and what it has registered and shown.
const childProcess = require('child_process');
const Module = require('module');
const path = require('path');

const EXTENSION = path.resolve(__dirname, '../../editors/vscode');

class Uri {
    static file(fsPath) {
        return Object.assign(new Uri(), { scheme: 'file', fsPath });
    }
}

class DebugAdapterExecutable {
    constructor(command, args, options) {
        Object.assign(this, { command, args, options });
    }
}

// Speaks the protocol with an adapter: request() resolves to the answer's body, waitFor() to an event's.
class Session {
    constructor(descriptor, configuration) {
        Object.assign(this, { type: configuration.type, configuration, sequence: 0, answers: new Map(), events: [], waiting: [] });
        this.process = childProcess.spawn(descriptor.command, descriptor.args, { ...descriptor.options, stdio: ['pipe', 'pipe', 'inherit'] });
        this.rest = Buffer.alloc(0);
        this.process.stdout.on('data', (data) => this.take(data));
        this.ended = new Promise((resolve) => this.process.on('exit', resolve));
    }

    take(data) {
        this.rest = Buffer.concat([this.rest, data]);
        for (;;) {
            const head = this.rest.indexOf('\r\n\r\n');
            const length = head < 0 ? 0 : Number(/Content-Length: (\d+)/.exec(this.rest.toString('latin1', 0, head))[1]);
            if (head < 0 || this.rest.length < head + 4 + length)
                return;
            this.handle(JSON.parse(this.rest.toString('utf8', head + 4, head + 4 + length)));
            this.rest = this.rest.subarray(head + 4 + length);
        }
    }

    handle(message) {
        if (message.type === 'event') {
            this.events.push(message);
            this.waiting = this.waiting.filter(({ name, resolve }) => name !== message.event || resolve(message.body));
            return;
        }
        const { resolve, reject } = this.answers.get(message.request_seq);
        message.success ? resolve(message.body) : reject(new Error(message.message));
    }

    customRequest(command, args) {
        const text = JSON.stringify({ seq: ++this.sequence, type: 'request', command, arguments: args });
        this.process.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
        return new Promise((resolve, reject) => this.answers.set(this.sequence, { resolve, reject }));
    }

    waitFor(name) {
        const known = this.events.find((message) => message.event === name);
        return known ? Promise.resolve(known.body) : new Promise((resolve) => this.waiting.push({ name, resolve }));
    }
}

// `state` is what the test sets and reads: program, trusted, editor (a path), answer (of questions).
function interfaceOf(state) {
    const nothing = { dispose() {} };
    const note = (list) => (text, ...choices) => {
        state[list].push(text);
        return Promise.resolve(choices.find((choice) => choice === state.answer));
    };
    return {
        Uri,
        DebugAdapterExecutable,
        DebugConfigurationProviderTriggerKind: { Initial: 1, Dynamic: 2 },
        ProgressLocation: { Notification: 15 },
        ViewColumn: { Beside: -2 },
        commands: { registerCommand: (name, body) => (state.commands[name] = body, nothing) },
        debug: {
            registerDebugConfigurationProvider: (type, provider, trigger = 1) => (state.providers[trigger] = provider, nothing),
            registerDebugAdapterDescriptorFactory: (type, factory) => (state.factory = factory, nothing),
            startDebugging: (folder, configuration) => (state.started.push(configuration), Promise.resolve(true)),
            get activeDebugSession() {
                return state.session;
            },
            activeDebugConsole: { appendLine: (text) => state.console.push(text) },
        },
        env: { openExternal: (uri) => (state.opened.push(uri.fsPath), Promise.resolve(true)) },
        window: {
            get activeTextEditor() {
                return state.editor && { document: { uri: Uri.file(state.editor) } };
            },
            showErrorMessage: note('errors'),
            showInformationMessage: note('questions'),
            showTextDocument: (uri) => (state.shown.push(uri.fsPath), Promise.resolve()),
            withProgress: (options, body) => body(),
        },
        workspace: {
            getConfiguration: () => ({ get: () => state.program }),
            getWorkspaceFolder: () => undefined,
            get isTrusted() {
                return state.trusted;
            },
        },
    };
}

function load(program, storage) {
    const state = { program, trusted: true, commands: {}, providers: {}, started: [], console: [], opened: [], errors: [], questions: [], shown: [] };
    const fake = interfaceOf(state);
    const resolve = Module._load;
    Module._load = function (name, ...others) {
        return name === 'vscode' ? fake : resolve.call(this, name, ...others);
    };
    const extension = require(EXTENSION);
    Module._load = resolve;
    state.subscriptions = [];
    extension.activate({ subscriptions: state.subscriptions, storageUri: Uri.file(storage), globalStorageUri: Uri.file(storage) });
    return state;
}

module.exports = { EXTENSION, Session, Uri, load };
