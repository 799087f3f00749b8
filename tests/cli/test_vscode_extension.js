// The extension for VS Code, without VS Code: node test_vscode_extension.js WARPSTEP SOURCE_ROOT
// What it registers, starts and writes, and a session with the adapter that it names.
const assert = require('assert');
const fs = require('fs');
const os = require('os');
const path = require('path');
const { EXTENSION, Session, Uri, load } = require('./vscode_stub.js');

const [warpstep, root] = process.argv.slice(2).map((name) => path.resolve(name));
const manifest = JSON.parse(fs.readFileSync(path.join(EXTENSION, 'package.json'), 'utf8'));
const folder = fs.realpathSync(fs.mkdtempSync(path.join(os.tmpdir(), 'warpstep-')));
const state = load(warpstep, path.join(folder, 'storage'));
const here = (name) => path.join(folder, name);

const tests = {
    'the manifest and the code name the same commands'() {
        const named = manifest.contributes.commands.map(({ command }) => command).sort();
        assert.deepStrictEqual(Object.keys(state.commands).sort(), named);
        for (const entries of Object.values(manifest.contributes.menus))
            for (const { command } of entries)
                assert(named.includes(command), command);
        assert.strictEqual(state.subscriptions.length, named.length + 3);
    },

    'files that the manifest names are there'() {
        const { grammars, languages } = manifest.contributes;
        for (const name of [manifest.main, ...manifest.files, ...grammars.map((each) => each.path)])
            assert(fs.existsSync(path.join(EXTENSION, name)), name);
        for (const { configuration } of languages.filter((each) => each.configuration))
            JSON.parse(fs.readFileSync(path.join(EXTENSION, configuration), 'utf8'));
    },

    'the arguments of a launch are those of the manual'() {
        const { properties, required } = manifest.contributes.debuggers[0].configurationAttributes.launch;
        const manual = fs.readFileSync(path.join(root, 'docs/use/editor.md'), 'utf8');
        const table = manual.slice(manual.indexOf('| argument |'), manual.indexOf('Only `program` is required'));
        const rows = [...table.matchAll(/^\| (`.*?) \|/gm)].flatMap(([, cell]) => cell.match(/\w+/g));
        assert.deepStrictEqual(Object.keys(properties).sort(), rows.sort());
        assert.deepStrictEqual(required, ['program']);
    },

    'bytecode is coloured'() {
        const { patterns } = JSON.parse(fs.readFileSync(path.join(EXTENSION, manifest.contributes.grammars[0].path), 'utf8'));
        const nameOf = (word, line = word) => {
            const found = patterns.find(({ match }) => match && new RegExp(match).exec(line)?.[0].trim() === word);
            return found?.name.split('.').slice(0, 3).join('.');
        };
        assert.strictEqual(nameOf('// lanes', 'side: // lanes'), 'comment.line.double-slash');
        assert.strictEqual(nameOf('.kernel', '.kernel if_else'), 'keyword.control.directive');
        assert.strictEqual(nameOf('@!P0', '@!P0 BRA side ;'), 'keyword.operator.guard');
        assert.strictEqual(nameOf('IMAD.WIDE.U32'), 'keyword.mnemonic.wsasm');
        assert.strictEqual(nameOf('SR_TID.X'), 'variable.language.register');
        assert.strictEqual(nameOf('0x1f'), 'constant.numeric.wsasm');
    },

    async 'the kernel in the editor is what F5 starts'() {
        state.editor = here('kernel.wsasm');
        const made = await state.providers[1].resolveDebugConfiguration(undefined, {});
        assert.strictEqual(made.program, here('kernel.yaml'));
        const own = { type: 'warpstep', request: 'launch', name: 'mine', program: 'x.yaml' };
        assert.strictEqual(await state.providers[1].resolveDebugConfiguration(undefined, own), own);
        assert.strictEqual(state.providers[2].provideDebugConfigurations()[0].program, here('kernel.yaml'));
        await state.commands['warpstep.step'](Uri.file(here('kernel.wsasm')));
        assert.deepStrictEqual(state.started.pop(), made);
    },

    async 'a kernel without a launch file gets one if the user wants'() {
        state.editor = undefined;
        state.answer = undefined;
        await state.commands['warpstep.step'](Uri.file(here('axpy.cu')));
        assert.match(state.questions.pop(), /^axpy\.cu has no launch file/);
        assert.strictEqual(state.started.length, 0);
        state.answer = 'Write one';
        await state.commands['warpstep.step'](Uri.file(here('axpy.cu')));
        assert.deepStrictEqual(state.errors, []);
        assert.match(fs.readFileSync(here('axpy.yaml'), 'utf8'), /kernel: axpy/);
        assert.strictEqual(state.started.pop().program, here('axpy.yaml'));
        assert.strictEqual(state.shown.pop(), here('axpy.yaml'));
    },

    async 'a report is made and opened'() {
        await state.commands['warpstep.report'](Uri.file(here('kernel.wsasm')));
        assert.deepStrictEqual(state.errors, []);
        assert.match(fs.readFileSync(state.opened.pop(), 'utf8'), /^<!DOCTYPE html>/i);
    },

    async 'what goes wrong is shown'() {
        fs.writeFileSync(here('broken.yaml'), 'version: 1\nprogram: nowhere.cu\n');
        await state.commands['warpstep.report'](Uri.file(here('broken.yaml')));
        assert.match(state.errors.pop(), /broken\.yaml:\d+/);
        state.program = 'no-such-warpstep';
        await state.commands['warpstep.report'](Uri.file(here('kernel.wsasm')));
        assert.match(state.errors.pop(), /'no-such-warpstep' is not found: set warpstep\.path/);
        state.program = warpstep;
        assert.strictEqual(state.opened.length, 0);
    },

    'an untrusted workspace is confined'() {
        const resolve = (configuration) => state.providers[1].resolveDebugConfigurationWithSubstitutedVariables(undefined, configuration);
        state.trusted = false;
        assert.deepStrictEqual(resolve({ program: 'a' }), { program: 'a', confine: true });
        assert.deepStrictEqual(resolve({ program: 'a', confine: 'strict' }), { program: 'a', confine: 'strict' });
        state.trusted = true;
        assert.deepStrictEqual(resolve({ program: 'a' }), { program: 'a' });
    },

    async 'a session, and the commands that look into it'() {
        await state.commands['warpstep.why']();
        assert.strictEqual(state.console.length, 0);
        const configuration = await state.providers[1].resolveDebugConfiguration(undefined, {}, (state.editor = here('kernel.wsasm')));
        const descriptor = state.factory.createDebugAdapterDescriptor({ configuration });
        assert.deepStrictEqual([descriptor.command, descriptor.args, descriptor.options], [warpstep, ['dap'], { cwd: folder }]);
        const session = (state.session = new Session(descriptor, configuration));
        await session.customRequest('initialize', { adapterID: 'warpstep' });
        const launched = session.customRequest('launch', configuration);
        await session.waitFor('initialized');
        await session.customRequest('configurationDone');
        await launched;
        assert.strictEqual((await session.waitFor('stopped')).reason, 'entry');
        await state.commands['warpstep.why']();
        assert.match(state.console.pop(), /warp 0/);
        await state.commands['warpstep.diverge']();
        assert.deepStrictEqual(state.errors, []);
        await session.customRequest('disconnect');
        assert.strictEqual(await session.ended, 0);
    },
};

async function main() {
    fs.copyFileSync(path.join(root, 'workloads/if_else/kernel.wsasm'), here('kernel.wsasm'));
    fs.copyFileSync(path.join(root, 'workloads/if_else/launch-bytecode.yaml'), here('kernel.yaml'));
    fs.writeFileSync(here('axpy.cu'), '__global__ void axpy(float a, const float *x, float *y, int n)\n' +
        '{\n    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    if (i < n)\n        y[i] += a * x[i];\n}\n');
    for (const [name, body] of Object.entries(tests)) {
        await body();
        console.log(`ok ${name}`);
    }
}

main().then(() => fs.rmSync(folder, { recursive: true }), (error) => {
    console.error(error);
    process.exit(1);
});
