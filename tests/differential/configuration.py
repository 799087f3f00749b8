"""What kernels run with, by number: every device, every pair of values of the switches among the
`lower.*` settings and every divergence model in turn, the other settings at random."""
import random
import re
import subprocess

MODELS = ['stack', 'its', 'none']
REGISTERS = [0, 0, 0, 24, 32, 40]
NUMBERS = {'lower.expected_miss': [0, 200, 600], 'lower.wide_to_factor': [0, 8], 'lower.wide_to_address': [0, 8],
           'lower.wide_interval': [0, 4], 'lower.budget_warps': [0, 0, 8], 'divergence.progress_after': [10, 10000]}
DRAWN = ['policy', 'divergence.first_side', 'dependences']
CAPABILITIES = {}


class Configurations:
    """All that there are, as the program itself names them."""

    def __init__(self, warpstep):
        def ask(*words):
            return subprocess.run([warpstep, 'devices', *words], stdout=subprocess.PIPE, text=True, check=True).stdout

        self.devices = re.findall(r'^(\S+) {2,}.* {2,}\d+\.\d ', ask(), re.M)
        self.values = {name: values.replace(' ', '').split('\\|') for name, values
                       in re.findall(r'^\| `([\w.]+)` \| ([^|]*(?:\\\|[^|]*)+) \|', ask('--settings'), re.M)}
        self.switches = sorted(name for name, values in self.values.items()
                               if name.startswith('lower.') and set(values) == {'on', 'off'})
        unknown = [name for name in DRAWN if name not in self.values]
        if not self.devices or not self.switches or unknown:
            raise SystemExit('cannot read the devices and settings: %s' % ' '.join(unknown))

    def make(self, number):
        """As options of `warpstep run`: a list of pairs."""
        r = random.Random(number)
        rest, model = divmod(number, len(MODELS))
        options = [('-s', 'divergence.model=' + MODELS[model])]
        for name in self.switches:
            rest, value = divmod(rest, 2)
            options.append(('-s', '%s=%s' % (name, ['on', 'off'][value])))
        device = self.devices[rest % len(self.devices)]
        options.append(('-d', device))
        options += [('-s', '%s=%s' % (name, r.choice(self.values[name]))) for name in DRAWN]
        options += [('-s', '%s=%d' % (name, r.choice(values))) for name, values in NUMBERS.items()]
        options.append(('--maxreg', str(r.choice(REGISTERS))))
        options.append(('--sms', '1' if device == 'textbook' else str(r.choice([1, 2, 3]))))
        options.append(('--threads', str(r.choice([1, 2]))))
        return [option for option in options if option != ('--maxreg', '0')]
