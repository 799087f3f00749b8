/* Host code as CUDA programs have it, of all headers of the C++ library: it is enough that this compiles. */
#include <bits/stdc++.h>
#include <dirent.h>
#include <fcntl.h>
#include <getopt.h>
#include <omp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

using namespace std;

struct P {
    int a;
    string s;
};

__global__ void kernel(int *x) { *x = max(x[1], 2); }

int main(int argc, char **argv)
{

    vector<float> v(10, 1.f), w = {1, 2, 3};
    v.push_back(2);
    for (auto &x : v)
        x += 1;
    sort(v.begin(), v.end(), [](float a, float b) { return a < b; });
    sort(v.begin(), v.end(), greater<float>());
    sort(v.begin(), v.end());
    map<string, int> m;
    m["a"]++;
    for (auto &kv : m)
        cout << kv.first << " " << kv.second << endl;
    for (auto &[k, x] : m)
        printf("%s %d\n", k.c_str(), x);
    auto t0 = chrono::high_resolution_clock::now();
    auto t1 = chrono::steady_clock::now();
    auto d = chrono::duration_cast<chrono::microseconds>(chrono::high_resolution_clock::now() - t0).count();
    double ms = chrono::duration<double, milli>(chrono::steady_clock::now() - t1).count();
    cout << fixed << setprecision(3) << ms << '\n' << d << hex << 3u << "x" << string("y") << true << 1.5f;
    mt19937 gen(42);
    uniform_real_distribution<float> u(0, 1);
    normal_distribution<> nd(0, 1);
    float r = u(gen) + nd(gen);
    random_device rd;
    mt19937 g2(rd());
    auto f = bind(u, ref(gen));
    generate(v.begin(), v.end(), [&]() { return u(gen); });
    iota(v.begin(), v.end(), 0);
    float s = accumulate(v.begin(), v.end(), 0.0f);
    unique_ptr<float[]> p(new float[10]);
    p[0] = 1;
    auto q = make_unique<P>();
    q->a = 1;
    shared_ptr<P> sp = make_shared<P>();
    auto up2 = make_unique<int[]>(5);
    ifstream in("x");
    string line;
    while (getline(in, line)) {
        stringstream ss(line);
        int a;
        ss >> a;
    }
    ofstream("o", ios::binary | ios::out) << "a" << 1;
    in.read((char *)v.data(), v.size() * sizeof(float));
    function<int(int)> fn = [&](int x) { return x + argc; };
    fn(1);
    thread th([&] { fn(2); });
    th.join();
    vector<thread> ths;
    ths.emplace_back([](int x) {}, 3);
    for (auto &t : ths)
        t.join();
    mutex mu;
    {
        lock_guard<mutex> l(mu);
        unique_lock<mutex> l2(mu);
    }
    atomic<int> at{0};
    at++;
    at.fetch_add(1);
    set<pair<int, int>> sps;
    sps.insert({1, 2});
    auto it = sps.begin();
    if (it != sps.end())
        printf("%d", it->first);
    unordered_map<string, vector<int>> um;
    um["x"].push_back(1);
    if (um.find("q") == um.end())
        um.emplace("q", vector<int>{1});
    um.insert({"a", {1}});
    tuple<int, float, string> tp(1, 2.f, "s");
    auto [aa, bb, cc] = tp;
    tie(aa, bb, cc) = make_tuple(2, 3.f, string("z"));
    get<0>(tp) = 1;
    try {
        throw runtime_error("x" + to_string(3));
    } catch (const exception &e) {
        cerr << e.what() << endl;
    }
    string st = "abc";
    st += 'd';
    st += "ef";
    st = st + "g" + st;
    if (st == "abc" || "abc" != st)
        st.substr(1, 2).find("b");
    int i = stoi(st);
    const char *c = strchr(argv[0], 'x');
    char *c2 = strstr(argv[1], "x");
    priority_queue<int, vector<int>, greater<int>> pq;
    pq.push(1);
    queue<P> qq;
    qq.push({1, "a"});
    stack<int> stk;
    deque<int> dq;
    dq.push_front(1);
    list<int> li;
    li.sort();
    float mx = *max_element(v.begin(), v.end());
    auto mm = minmax_element(v.begin(), v.end());
    cout << *mm.first;
    copy(v.begin(), v.end(), ostream_iterator<float>(cout, " "));
    copy(v.begin(), v.end(), back_inserter(w));
    array<int, 3> ar = {1, 2, 3};
    for (int x : ar)
        s += x;
    numeric_limits<float>::max();
    numeric_limits<int>::infinity();
    sqrt(2);
    pow(2, 3);
    pow(2.f, 3);
    sqrt(3u);
    abs(-1.5);
    std::abs(-2);
    fabs(1);
    isnan(1.f);
    isnan(1);
    log2(8);
    max(1, 2);
    max(1.f, 2.f);
    fmax(1, 2.0);
    std::fmin(1.f, 2.f);
    floor(1.5f);
    round(2.5);
    cbrt(2.0f);
    bitset<32> bs(5);
    cout << bs << bs.count();
    optional<int> o = 3;
    if (o)
        cout << *o;
    variant<int, string> va = 1;
    visit([](auto &&x) { cout << x; }, va);
    any an = 1;
    any_cast<int>(an);
    complex<double> z(1, 2);
    z = z * z + 1.0;
    cout << z << abs(z) << std::exp(z);
    string_view sv = "abc";
    cout << sv << sv.substr(1);
    if (sv == "abc")
        return 1;
    regex re("a+");
    smatch sm;
    regex_search(st, sm, re);
    auto fu = async(
        launch::async, [](int x) { return x * 2; }, 3);
    cout << fu.get();
    namespace fs = filesystem;
    for (auto &e : fs::directory_iterator("."))
        cout << e.path().string();
    fs::path pa = fs::path("a") / "b";
    ifstream in2(pa);
    this_thread::sleep_for(100ms);
    this_thread::sleep_for(chrono::seconds(1));
    auto e3 = t0 + 5ms;
    chrono::nanoseconds ns = 5us;
    double sec = ns / 1s;
    cout << (ns < 5ms);
    vector<bool> vb(3);
    vb[0] = true;
    if (vb[1])
        return 2;
    vector<vector<int>> vv(3, vector<int>(4));
    vv[0][1] = 2;
    vector<int> v3(v.begin(), v.end());
    vector<string> vs(argv, argv + argc);
    string all(istreambuf_iterator<char>(in), {});
    ostringstream os;
    os << setw(3) << setfill('0') << 1;
    puts(os.str().c_str());
    shuffle(v.begin(), v.end(), gen);
    transform(v.begin(), v.end(), v.begin(), [](float x) { return x * 2; });
    transform(st.begin(), st.end(), st.begin(), ::tolower);
    cin >> i >> st;
    exchange(i, 3);
    swap(i, argc);
    clamp(i, 0, 3);
    auto pr = make_pair(1, "x");
    pair<int, string> pr2 = pr;
    reverse(st.begin(), st.end());
    count_if(v.begin(), v.end(), [](float x) { return x > 0; });
    all_of(v.begin(), v.end(), [](float x) { return x > 0; });
    lower_bound(v.begin(), v.end(), 3.f);
    nth_element(v.begin(), v.begin() + 2, v.end());
    v.erase(unique(v.begin(), v.end()), v.end());
    v.insert(v.end(), w.begin(), w.end());
    v.resize(3);
    unique_ptr<FILE, int (*)(FILE *)> fp(fopen("a", "r"), fclose);
    unique_ptr<FILE, decltype(&pclose)> fp2(popen("a", "r"), pclose);
    inner_product(v.begin(), v.end(), w.begin(), 0.0);
    valarray<float> va2(3);
    va2 *= 2;
    struct timeval tv;
    gettimeofday(&tv, 0);
    return 0;
}
