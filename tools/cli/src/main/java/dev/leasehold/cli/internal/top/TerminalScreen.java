package dev.leasehold.cli.internal.top;

import dev.leasehold.cli.internal.Text;
import java.io.IOException;
import java.util.List;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;

/**
 * The terminal while the live view uses it: in raw mode, on its alternate screen, without a cursor. Closing it restores
 * all of that. One thread draws and closes; another may read keys, and has ended before.
 */
final class TerminalScreen implements AutoCloseable {

    private static final int DEFAULT_COLUMNS = 80;
    private static final int DEFAULT_ROWS = 24;

    private final Terminal terminal;
    private final NonBlockingReader reader;
    private final Attributes before;

    /** Takes over a terminal, which {@link #close} closes. */
    TerminalScreen(Terminal terminal) {
        this.terminal = terminal;
        this.reader = terminal.reader();
        this.before = terminal.enterRawMode();
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        // A character that is wider than assumed must not scroll the screen.
        terminal.puts(Capability.exit_am_mode);
        terminal.puts(Capability.clear_screen);
        terminal.flush();
    }

    /**
     * Takes over the terminal of this process. It is asked by stty(1), so that no native library is needed; signals are
     * left to the caller, and no query is sent to it, whose answer could be taken for keys.
     */
    static TerminalScreen open() throws IOException {
        // Otherwise JLine reads on a thread of its own, which nobody can wait for.
        System.setProperty(TerminalBuilder.PROP_SOFTWARE_SIGNALS, "false");
        return new TerminalScreen(TerminalBuilder.builder()
                .system(true)
                .provider(TerminalBuilder.PROP_PROVIDER_EXEC)
                .dumb(false)
                .nativeSignals(false)
                .graphemeCluster(false)
                .encoding(Text.CHARSET)
                .build());
    }

    /** Returns the size. A terminal that does not know its size counts as one of 80 columns and 24 rows. */
    Size size() {
        Size size = terminal.getSize();
        return Size.of(
                size.getColumns() > 0 ? size.getColumns() : DEFAULT_COLUMNS,
                size.getRows() > 0 ? size.getRows() : DEFAULT_ROWS);
    }

    /** Returns the keys that the user presses. */
    KeyDecoder keys() {
        return new KeyDecoder(reader::read);
    }

    /** Shows lines from the top of the screen, and clears the rest. */
    void show(List<Line> lines, Size size) {
        for (int row = 0; row < lines.size(); row++) {
            Line line = lines.get(row);
            terminal.puts(Capability.cursor_address, row, 0);
            show(line);
            if (Text.width(line.text()) < size.getColumns()) {
                terminal.puts(Capability.clr_eol);
            }
        }
        if (lines.size() < size.getRows()) {
            terminal.puts(Capability.cursor_address, lines.size(), 0);
            terminal.puts(Capability.clr_eos);
        }
        terminal.flush();
    }

    private void show(Line line) {
        switch (line.style()) {
            case PLAIN -> {}
            case BOLD -> terminal.puts(Capability.enter_bold_mode);
            case REVERSE -> terminal.puts(Capability.enter_reverse_mode);
            case DIM -> terminal.puts(Capability.enter_dim_mode);
        }
        terminal.writer().write(line.text());
        if (line.style() != Line.Style.PLAIN) {
            terminal.puts(Capability.exit_attribute_mode);
        }
    }

    @Override
    public void close() throws IOException {
        try (terminal) {
            terminal.puts(Capability.exit_attribute_mode);
            terminal.puts(Capability.enter_am_mode);
            terminal.puts(Capability.cursor_normal);
            terminal.puts(Capability.exit_ca_mode);
            terminal.flush();
            terminal.setAttributes(before);
        }
    }
}
