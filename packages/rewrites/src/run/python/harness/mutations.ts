/** Python: changes to inputs that reached new code, so that they may reach what is behind it. */
export const mutations = String.raw`
MAX_CHANGED = 2000

class Mutations:
    def change_arguments(self, random, args, keywords):
        'Changes one or two of the arguments.'
        own, self.random = self.random, random
        try:
            places = places_of(args, keywords)
            for _ in range(random.pick((1, 1, 2)) if places else 0):
                holder, at = random.pick(places)
                holder[at] = self.changed(holder[at], [inner[place] for inner, place in places])
        finally:
            self.random = own

    def changed(self, value, others, depth=0):
        kind = type(value)
        if kind is bool:
            return not value
        if kind is int:
            return self.changed_number(value, others)
        if kind is float:
            return self.random.pick((-value, value + 1, value * 10, self.float()))
        if kind is str:
            return self.changed_text(value, others)
        if kind is bytes:
            return self.changed_text(value.decode('latin-1'), others).encode('utf-8')
        if kind is list or kind is tuple:
            return kind(self.changed_items(list(value), others, depth))
        if kind is dict:
            return self.changed_pairs(dict(value), others, depth)
        if kind is Thing and depth < 4:
            fields = value.__dict__
            for name in [self.random.pick(list(fields))] if fields else ():
                fields[name] = self.changed(fields[name], others, depth + 1)
            return value
        if kind is set:
            return {each for each in self.changed_items(sorted(value, key=repr), others, depth) if is_hashable(each)}
        return value

    def changed_number(self, value, others):
        random = self.random
        if random.chance(25):
            found = [len(each) if type(each) in (list, tuple, str, dict) else each for each in others]
            value = random.pick([each for each in found if type(each) is int] or [value])
        if random.chance(25) and self.mined['numbers']:
            found = random.pick(self.mined['numbers'])
            return int(found) if found == found and abs(found) < 1e9 else value
        return random.pick((value + 1, value - 1, -value, value + 10, value + 100, value * 2, self.integer('int')))

    def changed_text(self, value, others):
        random = self.random
        if len(value) > MAX_CHANGED:
            return value[:100]
        texts = [each for each in others if type(each) is str]
        token = random.pick(texts) if texts and random.chance(25) else self.token()
        at = random.below(len(value) + 1)
        end = at + 1 + random.below(3)
        choice = random.below(7)
        if choice < 2:
            return value[:at] + token + value[at:]
        if choice == 2:
            return value[:at] + value[end:]
        if choice == 3:
            return value[:at] + token + value[end:]
        if choice == 4:
            return random.pick((token + value, value + token, value + token + value, token + value + token))
        if choice == 5:
            return value[:at] + value[at:end].swapcase() + value[end:]
        return value[:at] + value[at:end] * 2 + value[end:]

    def changed_items(self, values, others, depth):
        random = self.random
        if not values or depth > 4 or len(values) > MAX_CHANGED:
            return values
        at = random.below(len(values))
        choice = random.below(7)
        if choice < 3:
            values[at] = self.changed(values[at], others + values[:4], depth + 1)
        elif choice == 3:
            values.insert(random.below(len(values) + 1), values[at])
        elif choice == 4:
            values.insert(at, self.changed(values[at], others + values[:4], depth + 1))
        elif choice == 5:
            del values[at]
        else:
            values[at:] = values[at:][::-1]
        return values

    def changed_pairs(self, pairs, others, depth):
        random = self.random
        if not pairs or depth > 4:
            return pairs
        key = random.pick(list(pairs))
        choice = random.below(5)
        if choice < 2:
            pairs[key] = self.changed(pairs[key], others + list(pairs.values())[:4], depth + 1)
        elif choice == 2:
            del pairs[key]
        else:
            texts = [each for each in others if type(each) is str]
            name = random.pick(texts) if texts and random.chance(60) else self.token() if type(key) is str else self.changed(key, others, depth + 1)
            if is_hashable(name):
                pairs[name] = pairs[key] if choice == 3 else pairs.pop(key)
        return pairs
`
