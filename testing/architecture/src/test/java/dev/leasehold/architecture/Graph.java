package dev.leasehold.architecture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** A directed graph of names, and its strongly connected components (Tarjan, 1972). */
final class Graph {
    private final Map<String, Set<String>> edges = new TreeMap<>();

    void add(String from, String to) {
        edges.computeIfAbsent(from, none -> new TreeSet<>()).add(to);
        edges.computeIfAbsent(to, none -> new TreeSet<>());
    }

    Set<String> from(String name) {
        return edges.getOrDefault(name, Set.of());
    }

    /** The components with more than one name, each in alphabetical order. */
    List<Set<String>> cycles() {
        Search search = new Search();
        edges.keySet().forEach(search::visit);
        return search.found;
    }

    /** The component of a name, if it lies on a cycle; else empty. */
    Set<String> cycleOf(String name) {
        return cycles().stream()
                .filter(cycle -> cycle.contains(name))
                .findFirst()
                .orElse(Set.of());
    }

    private final class Search {
        private final Map<String, Integer> numbers = new HashMap<>();
        private final Map<String, Integer> lowest = new HashMap<>();
        private final Deque<String> open = new ArrayDeque<>();
        private final Set<String> isOpen = new HashSet<>();
        private final List<Set<String>> found = new ArrayList<>();

        void visit(String name) {
            if (numbers.containsKey(name)) {
                return;
            }
            int number = numbers.size();
            numbers.put(name, number);
            lowest.put(name, number);
            open.push(name);
            isOpen.add(name);
            for (String next : from(name)) {
                if (!numbers.containsKey(next)) {
                    visit(next);
                    lower(name, lowest.get(next));
                } else if (isOpen.contains(next)) {
                    lower(name, numbers.get(next));
                }
            }
            if (lowest.get(name) == number) {
                close(name);
            }
        }

        private void lower(String name, int number) {
            lowest.merge(name, number, Math::min);
        }

        private void close(String root) {
            Collection<String> component = new TreeSet<>();
            String name;
            do {
                name = open.pop();
                isOpen.remove(name);
                component.add(name);
            } while (!name.equals(root));
            if (component.size() > 1) {
                found.add(new TreeSet<>(component));
            }
        }
    }
}
