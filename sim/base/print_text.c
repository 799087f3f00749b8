#include "sim/base/print_text.h"

#include <locale.h>
#include <string.h>

typedef struct {
    GString *to;
    const WsPrintMemory *memory;
    guint64 format; /* the next character */
    guint64 arguments;
    guint64 offset; /* of the next argument */
    gsize start;    /* length of `to` before */
    gsize limit;
    WsPrintEnd *end;
    gboolean failed; /* `end` says why */
} Print;

enum { NONE = -1, MAX_SPECIFIER = 32 };

/* %[flags][width][.precision][size]type */
typedef struct {
    char text[MAX_SPECIFIER]; /* as it stands in the format */
    guint length;
    char flags[8]; /* "-+" */
    gint width, precision;
    gboolean width_given, precision_given; /* as arguments: `*` */
    guint bytes;                           /* of an integer: 1, 2, 4, 8 */
    char type;
} Specifier;

static gboolean read_memory(Print *print, guint64 address, guint bytes, void *ret, const char *what)
{
    if (print->memory->read(print->memory->data, address, bytes, ret))
        return TRUE;
    print->failed = TRUE;
    print->end->fault = what;
    print->end->address = address;
    return FALSE;
}

static gboolean next_character(Print *print, char *ret)
{
    return read_memory(print, print->format++, 1, ret, "the format of printf is out of bounds");
}

static guint64 next_argument(Print *print, guint bytes)
{
    guint8 value[8] = {0};
    print->offset = (print->offset + bytes - 1) & ~(guint64)(bytes - 1);
    read_memory(print, print->arguments + print->offset, bytes, value,
                "the arguments of printf are out of bounds");
    print->offset += bytes;
    print->end->returned++;
    guint64 bits = 0;
    for (guint i = 0; i < bytes; i++)
        bits |= (guint64)value[i] << (8 * i);
    return bits;
}

/* ---- specifiers --------------------------------------------------------------------------------
 */

static gboolean more_text(Print *print, Specifier *s, char *c)
{
    if (s->length + 1 >= sizeof s->text || !next_character(print, c) || *c == '\0')
        return FALSE;
    s->text[s->length++] = *c;
    return TRUE;
}

/* Digits, or a `*`; `c` is the character behind. */
static gboolean read_number(Print *print, Specifier *s, char *c, gint *ret, gboolean *ret_given)
{
    if (*c == '*') {
        *ret_given = TRUE;
        return more_text(print, s, c);
    }
    gint number = 0;
    gboolean any = FALSE;
    for (; g_ascii_isdigit(*c); any = TRUE) {
        number = number > G_MAXINT / 16 ? G_MAXINT / 16 : number * 10 + (*c - '0');
        if (!more_text(print, s, c))
            return FALSE;
    }
    if (any)
        *ret = number;
    return TRUE;
}

static gboolean read_size(Print *print, Specifier *s, char *c)
{
    s->bytes = 4;
    while (strchr("hlzjt", *c) != NULL) {
        s->bytes = *c != 'h' ? 8 : s->bytes == 2 ? 1 : 2;
        if (!more_text(print, s, c))
            return FALSE;
    }
    return TRUE;
}

/* Behind a `%`. FALSE: it is none, and `text` is what was read. */
static gboolean read_specifier(Print *print, Specifier *s)
{
    guint flags = 0;
    char c;
    *s = (Specifier){.text = "%", .length = 1, .width = NONE, .precision = NONE};
    if (!more_text(print, s, &c))
        return FALSE;
    while (strchr("-+ #0", c) != NULL) {
        if (strchr(s->flags, c) == NULL)
            s->flags[flags++] = c;
        if (!more_text(print, s, &c))
            return FALSE;
    }
    if (!read_number(print, s, &c, &s->width, &s->width_given))
        return FALSE;
    if (c == '.') {
        s->precision = 0;
        if (!more_text(print, s, &c) ||
            !read_number(print, s, &c, &s->precision, &s->precision_given))
            return FALSE;
    }
    if (!read_size(print, s, &c))
        return FALSE;
    s->type = c;
    return strchr("diouxXcspeEfFgGaA%", c) != NULL;
}

/* ---- values ------------------------------------------------------------------------------------
 */

/* "%-+*.*ll" and the type, as the host's printf takes it. */
static void host_format(const Specifier *s, const char *size, char ret[MAX_SPECIFIER])
{
    g_snprintf(ret, MAX_SPECIFIER, "%%%s*.*%s%c", s->flags, size, s->type);
}

static void put_padded(Print *print, const Specifier *s, const char *text, gsize length)
{
    gsize blanks = s->width > 0 && (gsize)s->width > length ? (gsize)s->width - length : 0;
    gboolean left = strchr(s->flags, '-') != NULL;
    for (gsize i = 0; !left && i < blanks; i++)
        g_string_append_c(print->to, ' ');
    g_string_append_len(print->to, text, (gssize)length);
    for (gsize i = 0; left && i < blanks; i++)
        g_string_append_c(print->to, ' ');
}

static void put_integer(Print *print, const Specifier *s)
{
    guint64 bits = next_argument(print, s->bytes == 8 ? 8 : 4);
    char format[MAX_SPECIFIER];
    guint unused = 64 - 8 * s->bytes;
    gboolean is_signed = s->type == 'd' || s->type == 'i';
    guint64 value =
        is_signed ? (guint64)((gint64)(bits << unused) >> unused) : bits << unused >> unused;
    host_format(s, "ll", format);
    if (!print->failed)
        g_string_append_printf(print->to, format, MAX(s->width, 0), s->precision, value);
}

/* As in the C locale, whatever this process has. */
static void put_float(Print *print, const Specifier *s)
{
    guint64 bits = next_argument(print, 8);
    char format[MAX_SPECIFIER];
    double value;
    memcpy(&value, &bits, sizeof value);
    host_format(s, "", format);
    if (print->failed)
        return;
    locale_t plain = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = plain != (locale_t)0 ? uselocale(plain) : (locale_t)0;
    g_string_append_printf(print->to, format, MAX(s->width, 0), s->precision, value);
    if (plain != (locale_t)0) {
        uselocale(before);
        freelocale(plain);
    }
}

static void put_pointer(Print *print, const Specifier *s)
{
    guint64 value = next_argument(print, 8);
    char text[24];
    int length = value == 0 ? g_snprintf(text, sizeof text, "(nil)")
                            : g_snprintf(text, sizeof text, "0x%" G_GINT64_MODIFIER "x", value);
    put_padded(print, s, text, (gsize)length);
}

static void put_string(Print *print, const Specifier *s)
{
    guint64 address = next_argument(print, 8);
    gsize most = s->precision < 0 ? G_MAXSIZE : (gsize)s->precision;
    g_autoptr(GString) text = g_string_new(address == 0 ? "(null)" : NULL);
    char c;
    while (address != 0 && !print->failed && text->len < most && text->len <= print->limit &&
           read_memory(print, address++, 1, &c, "a string of printf is out of bounds") && c != '\0')
        g_string_append_c(text, c);
    if (!print->failed)
        put_padded(print, s, text->str, MIN(text->len, most));
}

/* Width and precision that are arguments: a negative width is the flag `-`. */
static void take_numbers(Print *print, Specifier *s)
{
    if (s->width_given)
        s->width = (gint)(guint32)next_argument(print, 4);
    if (s->width_given && s->width < 0) {
        s->width = s->width > -G_MAXINT ? -s->width : G_MAXINT;
        if (strchr(s->flags, '-') == NULL)
            s->flags[strlen(s->flags)] = '-';
    }
    if (s->precision_given)
        s->precision = (gint)(guint32)next_argument(print, 4);
    if (s->precision < 0)
        s->precision = NONE;
}

static void put_value(Print *print, Specifier *s)
{
    char character;
    take_numbers(print, s);
    /* The host is not asked for what cannot be taken. */
    if ((gsize)MAX(s->width, 0) > print->limit || (gsize)MAX(s->precision, 0) > print->limit) {
        print->failed = TRUE;
        print->end->returned = -2;
        return;
    }
    switch (s->type) {
    case 'c':
        character = (char)next_argument(print, 4);
        put_padded(print, s, &character, 1);
        break;
    case 's':
        put_string(print, s);
        break;
    case 'p':
        put_pointer(print, s);
        break;
    case 'd':
    case 'i':
    case 'o':
    case 'u':
    case 'x':
    case 'X':
        put_integer(print, s);
        break;
    default:
        put_float(print, s);
        break;
    }
}

void ws_print_text(GString *to, const WsPrintMemory *memory, guint64 format, guint64 arguments,
                   gsize limit, WsPrintEnd *ret)
{
    Print print = {.to = to,
                   .memory = memory,
                   .format = format,
                   .arguments = arguments,
                   .start = to->len,
                   .limit = limit,
                   .end = ret};
    char c;
    *ret = (WsPrintEnd){0};
    if (format == 0) {
        ret->returned = -1;
        return;
    }
    while (!print.failed && to->len - print.start <= limit && next_character(&print, &c) &&
           c != '\0') {
        Specifier s;
        if (c != '%') {
            g_string_append_c(to, c);
            continue;
        }
        guint64 behind = print.format;
        if (read_specifier(&print, &s)) {
            guint wanted = 1u + s.width_given + s.precision_given;
            if (s.type == '%')
                g_string_append_c(to, '%');
            else if ((guint)ret->returned + wanted <= WS_PRINT_MAX_ARGUMENTS)
                put_value(&print, &s);
            else
                g_string_append_len(to, s.text, (gssize)s.length);
        } else {
            g_string_append_c(to, '%'); /* and the rest as it is */
            print.format = behind;
        }
    }
    if (to->len - print.start > limit && !print.failed) {
        print.failed = TRUE;
        ret->returned = -2;
    }
    if (print.failed)
        g_string_truncate(to, print.start);
}
